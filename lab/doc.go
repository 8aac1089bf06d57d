// Package lab is the shared part of a hands-on lab about backpressure and load
// shedding: an admission [Controller], an [OpenLoop] load generator, and what
// the step programs need to turn a run into a table and a verdict.
//
// Start reading at [Controller]: it is the heart, and short. [Protect] puts it
// in front of an HTTP handler, and [RetryTransport] is the client to match. To test
// a controller of your own, see package labtest.
//
// # Words
//
//   - capacity: requests per second the service finishes when it is kept
//     completely busy: slots ÷ true service time.
//   - offered load: requests per second that arrive, served or not.
//   - slot: permission to be worked on; a service has a fixed number.
//   - line: the requests that wait for a slot. Its length is a count, its wait
//     is a time. Little's law joins the two: length = rate × wait.
//   - goodput: answers delivered within the client's patience, per second of
//     the stated window.
//   - steady goodput: the same, counting only requests due at or after the
//     warm-up.
//   - shed: turned away on purpose, with a [Reason].
//   - criticality: the class of a request, by how bad it is to shed it. Its share
//     is how much of the line it may use.
//   - deadline: until when the client of a request waits, if the service is told.
//   - gone: the client left (its context was done) before it got a slot;
//     neither served nor shed.
//   - timeout: on the client's side, patience ran out before any answer.
//   - wasted: work the service finished for a client that had already gone.
//   - due: the instant a request should be sent by the schedule. Latency
//     counts from here.
//   - late: how long after its due instant a request was really sent.
//   - open loop: arrivals follow a schedule whatever happens. Closed loop: each
//     user waits for an answer before asking again.
package lab
