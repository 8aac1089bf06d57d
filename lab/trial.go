package lab

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A Trial is one service in this process, behind a [Controller] with the given
// limits, under one open-loop load.
type Trial struct {
	Policy string // its name in the table
	Limits Limits
	Load   OpenLoop
	WarmUp time.Duration // left out of the steady goodput; less than Load.Duration

	WatchLine bool // take down the length of the line, in Summary.Line

	// ServiceTime is how long the pretend work takes that begins at an instant,
	// counted from the start of the run. See [Constant].
	ServiceTime func(begin time.Duration) time.Duration
}

// Constant is the service time of a service that always takes d.
func Constant(d time.Duration) func(time.Duration) time.Duration {
	return func(time.Duration) time.Duration { return d }
}

// Run runs the trial for Load.Duration plus Load.Patience, or shorter if ctx ends,
// and then finishes the work that has begun. Errors: bad limits or a bad load,
// before anything is sent; and sums that do not add up, a fault of the lab.
func (t Trial) Run(ctx context.Context) (Summary, error) {
	if err := t.validate(); err != nil {
		return Summary{}, err
	}
	c, err := NewController(t.Limits)
	if err != nil {
		return Summary{}, err
	}
	// Work once begun is finished, whether or not its client is there, unless the
	// trial itself is cut short and nobody is left.
	working, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(t.Load.Patience, cut) })()
	start := time.Now()
	var asked, took atomic.Int64 // nanoseconds of work
	var line []int
	watching, stopWatching := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWatching()
	var watch sync.WaitGroup
	if t.WatchLine {
		watch.Go(func() { line = Watch(watching, func() int { return c.Stats().Waiting }) })
	}
	samples, err := t.Load.Run(ctx, func(ctx context.Context) error {
		return c.Do(ctx, func() error {
			if !t.Load.HangUp {
				ctx = working
			}
			begin := time.Now()
			d := t.ServiceTime(begin.Sub(start))
			err := PretendWork(ctx, d)
			if err == nil {
				asked.Add(int64(d))
				took.Add(int64(time.Since(begin)))
			}
			return err
		})
	})
	stopWatching()
	watch.Wait()
	if err != nil {
		return Summary{}, err
	}
	s := Summarize(t.Policy, t.Load, t.WarmUp, samples)
	s.PeakLine, s.Line = c.Stats().PeakLine, line
	if asked := asked.Load(); asked > 0 {
		s.WorkSlower = float64(took.Load())/float64(asked) - 1
	}
	return s, audit(s, c.Stats())
}

func (t Trial) validate() error {
	if t.WarmUp < 0 || t.WarmUp >= t.Load.Duration {
		return fmt.Errorf("trial: warm-up is %v, want at least 0s and less than the duration, which is %v",
			t.WarmUp, t.Load.Duration)
	}
	return errors.Join(t.Limits.validate(), t.Load.Validate())
}

// audit compares the clients' counts with the controller's, at rest.
func audit(s Summary, c Stats) error {
	sent := s.OK + s.Shed + s.Timeout + s.Failed
	if sent+s.NotSent != s.Offered || c.Arrived != sent || c.Running != 0 || c.Waiting != 0 {
		return fmt.Errorf("trial %q: the sums do not add up: the clients count %+v, the controller %+v",
			s.Policy, s, c)
	}
	return nil
}

// PretendWork takes d of time and nothing else. If ctx ends first, it returns
// ctx.Err() at once.
func PretendWork(ctx context.Context, d time.Duration) error {
	if !sleepUntil(ctx, time.Now().Add(d)) {
		return ctx.Err()
	}
	return nil
}
