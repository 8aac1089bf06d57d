package lab

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// An Admitter runs work if it may run, and returns work's error. Otherwise it
// returns an [*Overloaded], the error of ctx, or an error of its own that says that
// it does not work. [*Controller] is one.
type Admitter interface {
	Do(ctx context.Context, work func() error) error
}

// An Option returns the context of a request with something added to it that is read
// off the request, for an [Admitter] that wants to know.
type Option func(r *http.Request) context.Context

// Protect returns a handler that serves next through a. A request that is shed
// gets a 503 (Service Unavailable) with a Retry-After header and a JSON body
// that names the reason. For a client that has gone nothing is written, and its
// connection is cut with [http.ErrAbortHandler]: to write nothing and return would
// be a 200. An error of a's own is a 500.
//
// A request holds its slot until next returns, also while it writes to a client
// that reads slowly, and while it streams. If that can be long, either set a
// write deadline with [http.ResponseController], or leave Protect out and have
// the handler call a.Do around the work alone.
//
// What to put outside and inside of Protect:
//
//   - Health checks go outside. An overloaded service is busy, not dead, and must
//     not be restarted for it.
//   - [http.TimeoutHandler] goes outside. It answers when the time is over, and a
//     next that goes on after that keeps its slot until it returns. Inside, it
//     would give the slot away while next goes on: more would run than Slots.
//   - Whatever reads the body goes inside. Of a request with a body that nobody
//     has read, net/http does not notice that its client hangs up; in line, only
//     MaxWait gets rid of it.
//
// The options tell a more about the request than its context has from net/http.
func Protect(a Admitter, next http.Handler, options ...Option) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, option := range options {
			r = r.WithContext(option(r))
		}
		err := serve(a, next, w, r)
		shed, isShed := errors.AsType[*Overloaded](err)
		switch {
		case err == nil:
		case isShed:
			refuse(w, shed.Reason, shed.RetryAfter)
		case errors.Is(err, context.DeadlineExceeded):
			// Somebody outside of Protect set a deadline. The client is still there.
			refuse(w, DeadlinePassed, 0)
		case errors.Is(err, context.Canceled):
			panic(http.ErrAbortHandler)
		default:
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}
	})
}

// serve serves one request through a.
func serve(a Admitter, next http.Handler, w http.ResponseWriter, r *http.Request) error {
	c, ok := a.(*Controller)
	if !ok {
		return a.Do(r.Context(), func() error {
			next.ServeHTTP(w, r)
			return nil
		})
	}
	// The same as c.Do, but without a function for the work: to make one takes memory,
	// and a refusal would have made it in vain.
	if err := c.Acquire(r.Context()); err != nil {
		return err
	}
	defer c.Release()
	next.ServeHTTP(w, r)
	return nil
}

// refuse writes the answer to a request that was turned away. Under overload that
// is most of the work there is, so it is kept small: no marshalling, no logging,
// no formatting beyond one number. An error of a write is a client that has gone.
func refuse(w http.ResponseWriter, reason Reason, retryAfter time.Duration) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", strconv.Itoa(retryAfterSeconds(retryAfter)))
	w.WriteHeader(http.StatusServiceUnavailable)
	io.WriteString(w, `{"error":"overloaded","reason":"`)
	io.WriteString(w, string(reason))
	io.WriteString(w, "\"}\n")
}

// retryAfterSeconds is d as Retry-After has it (RFC 9110, section 10.2.3): whole
// seconds. It rounds up, so that nobody comes back early, and is at least 1, as a 0
// invites the client to try again at once, and at most a day.
func retryAfterSeconds(d time.Duration) int {
	seconds := int(min(d, maxRetryAfter) / time.Second)
	if d > time.Duration(seconds)*time.Second && d < maxRetryAfter {
		seconds++
	}
	return max(1, seconds)
}
