package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/rakyll/hey/requester"
)

// A ClosedLoop is a load of HTTP requests from a fixed number of users, each of
// whom waits for an answer before the next request. It finds the capacity of a
// service and never overloads it by more than Users requests; see [OpenLoop] for
// what that hides.
//
// The requests are sent by rakyll/hey. All fields must be set.
type ClosedLoop struct {
	URL      string
	Users    int
	Duration time.Duration // no request is sent after it, nor after a million
	Patience time.Duration // limit of one request; whole seconds, rounded up
}

// heyOutput is the template of hey's report. It takes the raw figures and leaves
// out hey's own percentiles and averages, which are 0 or NaN for few answers.
const heyOutput = `{
	"Offsets": {{jsonify .Offsets}}, "Lats": {{jsonify .Lats}},
	"StatusCodes": {{jsonify .StatusCodes}}, "ErrorDist": {{jsonify .ErrorDist}}
}`

// heyRemembers is how many answers hey keeps the figures of.
const heyRemembers = 1_000_000

// Run sends the load until Duration is over or ctx ends, and returns a [Sample]
// for every request, in which Due is when it was sent: in a closed loop there is
// no schedule to be late for. A request is OK if its status is 200, Shed if it is
// 503 or 429, and Failed otherwise; of one without any answer nothing but that is
// known.
//
// Errors: bad settings, before anything is sent.
func (l ClosedLoop) Run(ctx context.Context) ([]Sample, error) {
	if l.Users < 1 || l.Users > heyRemembers || l.Duration <= 0 || l.Patience <= 0 {
		return nil, fmt.Errorf("closed loop: %d users, duration %v, patience %v, want all above 0 and at most %d users",
			l.Users, l.Duration, l.Patience, heyRemembers)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("closed loop: %w", err)
	}
	var report bytes.Buffer
	work := requester.Work{
		Request: request,
		N:       heyRemembers / l.Users * l.Users, // hey sends a multiple of its users
		C:       l.Users,
		Timeout: int((l.Patience + time.Second - 1) / time.Second),
		Output:  heyOutput,
		Writer:  &report,
	}
	work.Init()
	stop := sync.OnceFunc(work.Stop) // a second Stop could block for ever
	timer := time.AfterFunc(l.Duration, stop)
	defer timer.Stop()
	defer context.AfterFunc(ctx, stop)()
	work.Run()

	var raw struct {
		Offsets, Lats []float64 // in seconds, from a common start
		StatusCodes   []int
		ErrorDist     map[string]int
	}
	if err := json.Unmarshal(report.Bytes(), &raw); err != nil {
		return nil, fmt.Errorf("closed loop: the report of hey cannot be read: %w", err)
	}
	return closedSamples(raw.Offsets, raw.Lats, raw.StatusCodes, raw.ErrorDist), nil
}

func closedSamples(offsets, latencies []float64, statuses []int, failed map[string]int) []Sample {
	var samples []Sample
	first := 0.0
	if len(offsets) > 0 {
		first = slices.Min(offsets)
	}
	for i, status := range statuses {
		s := Sample{Due: Seconds(offsets[i] - first), Latency: Seconds(latencies[i]), Outcome: Failed}
		switch status {
		case http.StatusOK:
			s.Outcome, s.Done = OK, true
		case http.StatusServiceUnavailable, http.StatusTooManyRequests:
			s.Outcome = Shed
		}
		samples = append(samples, s)
	}
	for _, n := range failed {
		for range n {
			samples = append(samples, Sample{Outcome: Failed})
		}
	}
	return samples
}
