package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/rakyll/hey/requester"
)

// A ClosedLoop is a load of HTTP requests from a fixed number of users, each of
// whom waits for an answer before the next request. It finds the capacity of a
// service and never overloads it by more than Users requests; see [OpenLoop] for
// what that hides.
//
// The requests are sent by rakyll/hey, which follows no redirect here. The first
// four fields must be set.
type ClosedLoop struct {
	URL      string
	Users    int
	Duration time.Duration // no request is sent after it, nor after a million
	Patience time.Duration // limit of one request; whole seconds, rounded up

	Method string      // GET if empty
	Header http.Header // nil for none
	Body   []byte      // nil for none

	// MaxRate is the requests per second from all users together; 0 = no limit. A user
	// who waits for his turn when the load ends still sends that request, up to Users ÷
	// MaxRate later.
	MaxRate           float64
	DisableKeepAlives bool // every request on a connection of its own
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
// no schedule to be late for. A request is OK if its status is 2xx, Shed if it is
// 503 or 429, and Failed otherwise; of one without any answer nothing but its error
// is known.
//
// Errors: bad settings, before anything is sent.
func (l ClosedLoop) Run(ctx context.Context) ([]Sample, error) {
	if l.Users < 1 || l.Users > heyRemembers || l.Duration <= 0 || l.Patience <= 0 {
		return nil, fmt.Errorf("closed loop: %d users, duration %v, patience %v, want all above 0 and at most %d users",
			l.Users, l.Duration, l.Patience, heyRemembers)
	}
	request, err := newRequest(ctx, l.Method, l.URL, l.Header, l.Body)
	if err != nil {
		return nil, fmt.Errorf("closed loop: %w", err)
	}
	var (
		running sync.WaitGroup
		begin   sync.Once
		bell    *time.Timer
		users   = make([]heyUser, l.Users)
		stopAll = sync.OnceFunc(func() { // a second Stop of the same user could block for ever
			for i := range users {
				users[i].work.Stop()
			}
		})
	)
	next := func() *http.Request {
		begin.Do(func() { bell = time.AfterFunc(l.Duration, stopAll) })
		again := request.Clone(ctx)
		again.Body, _ = request.GetBody() // of a slice of bytes: no error
		return again
	}
	for i := range users {
		users[i].init(l, request, next)
	}
	defer context.AfterFunc(ctx, stopAll)()
	for i := range users {
		running.Go(users[i].work.Run)
	}
	running.Wait()
	if bell != nil {
		bell.Stop()
	}
	return closedSamples(users)
}

// A heyUser is a run of hey with one worker. A run with several would share an
// http.Client, which each of them changes when redirects are not to be followed.
type heyUser struct {
	work   requester.Work
	report bytes.Buffer
}

func (u *heyUser) init(l ClosedLoop, request *http.Request, next func() *http.Request) {
	u.work = requester.Work{
		Request:           request,
		RequestFunc:       next,
		N:                 heyRemembers / l.Users,
		C:                 1,
		QPS:               l.MaxRate / float64(l.Users),
		Timeout:           int((l.Patience + time.Second - 1) / time.Second),
		DisableRedirects:  true,
		DisableKeepAlives: l.DisableKeepAlives,
		Output:            heyOutput,
		Writer:            &u.report,
	}
	if u.work.QPS > 1e5 { // more than a user can do, and a burden for hey's timer
		u.work.QPS = 0
	}
	u.work.Init()
}

func closedSamples(users []heyUser) ([]Sample, error) {
	var samples []Sample
	first := math.Inf(1)
	for i := range users {
		var raw struct {
			Offsets, Lats []float64 // in seconds, from a start common to all users
			StatusCodes   []int
			ErrorDist     map[string]int
		}
		if err := json.Unmarshal(users[i].report.Bytes(), &raw); err != nil {
			return nil, fmt.Errorf("closed loop: the report of hey cannot be read: %w", err)
		}
		for i, status := range raw.StatusCodes {
			first = min(first, raw.Offsets[i])
			s := Sample{Due: Seconds(raw.Offsets[i]), Latency: Seconds(raw.Lats[i])}
			s.Outcome, s.Err = closedOutcome(status)
			s.Done = s.Outcome == OK
			samples = append(samples, s)
		}
		for text, n := range raw.ErrorDist {
			for range n {
				samples = append(samples, Sample{Due: -1, Outcome: Failed, Err: errors.New(text)})
			}
		}
	}
	for i := range samples {
		samples[i].Due = max(0, samples[i].Due-Seconds(first)) // 0 for those without any answer
	}
	return samples, nil
}

func closedOutcome(status int) (Outcome, error) {
	switch {
	case status/100 == 2:
		return OK, nil
	case status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		return Shed, nil
	}
	return Failed, &StatusError{Status: status}
}

// FinishRate returns how many requests per second of a closed loop were answered
// well. It counts up to the last answer before the bell, which ends the load: the
// bell itself cuts the last round in two, and what comes after it comes from a
// service that is running empty. It is 0 if there is none.
func FinishRate(samples []Sample, bell time.Duration) float64 {
	finished, last := 0, time.Duration(0)
	for _, s := range samples {
		if at := s.Due + s.Latency; s.Outcome == OK && at <= bell {
			finished++
			last = max(last, at)
		}
	}
	return perSecond(finished, last)
}
