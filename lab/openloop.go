package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

// maxRequests bounds one run. Every request costs 48 bytes for its [Sample], and
// one that waits in a [Controller] about 5 kB more, nearly all of it the stack of
// its goroutine: 100,000 that wait at once take half a gigabyte.
const maxRequests = 10_000_000

// An OpenLoop is a load of requests sent by a fixed schedule, whatever becomes
// of the earlier ones. That is how a crowd of independent clients behaves; a
// closed loop, in which every user waits for an answer before the next request,
// slows down together with the service and so hides its collapse. See
// "Open Versus Closed: A Cautionary Tale" (Schroeder, Wierman and
// Harchol-Balter, NSDI 2006).
//
// The zero value is not usable: Rate, Duration and Patience must be set.
type OpenLoop struct {
	Rate     float64       // requests per second
	Duration time.Duration // how long requests keep coming
	Patience time.Duration // how long a client waits for its answer, from due on

	// PatienceOf, if set, is how long the client of request i waits: above 0 and at
	// most Patience. It is called several times, and has to say the same each time.
	PatienceOf func(i int) time.Duration

	// HangUp makes a client that gives up cancel its request. By default the
	// request goes on without it: most servers never learn that a client left.
	HangUp bool

	// OnSend, if set, is called just before each request is sent, by the one
	// goroutine that sends them: as long as it runs, nothing is sent.
	OnSend func(i int)
}

// Validate returns the error that Run would return before it sends anything.
func (l OpenLoop) Validate() error {
	n := math.Round(l.Rate * l.Duration.Seconds())
	switch {
	case !(l.Rate > 0) || math.IsInf(l.Rate, 0):
		return fmt.Errorf("open loop: rate is %v/s, want a finite number above 0", l.Rate)
	case l.Duration <= 0:
		return fmt.Errorf("open loop: duration is %v, want more than 0s", l.Duration)
	case l.Patience <= 0:
		return fmt.Errorf("open loop: patience is %v, want more than 0s", l.Patience)
	case l.Duration > maxDuration || l.Patience > maxDuration:
		return fmt.Errorf("open loop: duration is %v and patience %v, want at most %v", l.Duration, l.Patience, maxDuration)
	case n < 1:
		return fmt.Errorf("open loop: %v/s for %v is not one request", l.Rate, l.Duration)
	case n > maxRequests:
		return fmt.Errorf("open loop: %v/s for %v is %.3g requests, want at most %d",
			l.Rate, l.Duration, n, maxRequests)
	}
	if l.PatienceOf == nil {
		return nil
	}
	for i := range l.Count() {
		if p := l.PatienceOf(i); p <= 0 || p > l.Patience {
			return fmt.Errorf("open loop: patience of request %d is %v, want more than 0s and at most %v", i, p, l.Patience)
		}
	}
	return nil
}

// patience is how long the client of request i waits.
func (l OpenLoop) patience(i int) time.Duration {
	if l.PatienceOf == nil {
		return l.Patience
	}
	return l.PatienceOf(i)
}

// meanPatience is how long clients wait on average.
func (l OpenLoop) meanPatience() time.Duration {
	if l.PatienceOf == nil {
		return l.Patience
	}
	sum := 0.0
	for i := range l.Count() {
		sum += l.PatienceOf(i).Seconds()
	}
	return Seconds(sum / float64(l.Count()))
}

// Count returns the number of requests in the load: Rate × Duration, rounded to
// the nearest whole number, halves up.
func (l OpenLoop) Count() int { return int(math.Round(l.Rate * l.Duration.Seconds())) }

// Due returns when request i is due, counted from the start of the run. It
// depends on nothing but i, so that a stall delays nobody but those it hits.
func (l OpenLoop) Due(i int) time.Duration {
	return Seconds(float64(i) / l.Rate)
}

// A Sample is what became of one request.
type Sample struct {
	Due     time.Duration // by the schedule, counted from the start of the run
	Late    time.Duration // sent that long after Due
	Latency time.Duration // answered, or given up by the run, that long after Due
	Outcome Outcome
	Done    bool  // the service finished the work, in time or not
	Err     error // why it was Shed or Failed, and nil otherwise
}

// An Outcome is how a request ended, as its client saw it. Every request of a
// run has exactly one.
type Outcome uint8

const (
	NotSent Outcome = iota // the run was cut short before it was due
	OK                     // answered in time
	Shed                   // turned away in time, with an *Overloaded
	Timeout                // neither: the client's patience ran out first
	Failed                 // any other error, in time
)

// Run sends the load and returns a [Sample] for every request of it, in order
// of their due instants. Each request is a call of send on a goroutine of its
// own; nil from send means that the work is done, and an [*Overloaded] that it
// was shed. A panic of send ends the program.
//
// The run ends when every request has ended, and at the latest at Duration +
// Patience, when no client is left: then send's context ends, and Run waits for
// send to return. When ctx ends, no more requests are sent, and those on their
// way are waited for as long as their clients have patience.
//
// Errors: a bad load, before anything is sent.
func (l OpenLoop) Run(ctx context.Context, send func(context.Context) error) ([]Sample, error) {
	return l.RunEach(ctx, func(ctx context.Context, _ int) error { return send(ctx) })
}

// RunEach is Run for requests that differ: send gets the number of its request too.
func (l OpenLoop) RunEach(ctx context.Context, send func(ctx context.Context, i int) error) ([]Sample, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	samples := make([]Sample, l.Count())
	for i := range samples {
		samples[i].Due = l.Due(i)
	}

	inFlight, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	start := time.Now()
	end := start.Add(l.Duration + l.Patience)
	var wg sync.WaitGroup
	for i := range samples {
		s := &samples[i]
		if !sleepUntil(ctx, start.Add(s.Due)) {
			end = time.Now().Add(l.Patience)
			break
		}
		if l.OnSend != nil {
			l.OnSend(i)
		}
		s.Outcome = Failed // unless send returns
		wg.Go(func() { l.exchange(inFlight, start, i, s, send) })
	}
	timer := time.AfterFunc(time.Until(end), stop)
	defer timer.Stop()
	wg.Wait()
	return samples, nil
}

// exchange sends request i and writes down how it ended.
func (l OpenLoop) exchange(ctx context.Context, start time.Time, i int, s *Sample, send func(context.Context, int) error) {
	patience := l.patience(i)
	if l.HangUp {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, start.Add(s.Due+patience))
		defer cancel()
	}
	s.Late = time.Since(start) - s.Due // here, so that a wait for a processor is in it
	err := send(ctx, i)

	s.Latency = time.Since(start) - s.Due
	s.Done = err == nil
	_, shed := errors.AsType[*Overloaded](err)
	switch {
	case s.Latency >= patience:
		s.Outcome = Timeout
	case err == nil:
		s.Outcome = OK
	case shed:
		s.Outcome, s.Err = Shed, err
	default:
		s.Outcome, s.Err = Failed, err
	}
}

// sleepUntil waits for an instant, and reports false if ctx ended first. The
// sleep of an idle process ends up to about 1 ms late; spinning would be more
// exact and take a core from the service under test.
func sleepUntil(ctx context.Context, t time.Time) bool {
	d := time.Until(t)
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
