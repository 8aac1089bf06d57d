package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"example.com/sheddinglab/lab"
)

// A trial is one service with one policy, on a day.
type trial struct {
	policy    string
	limits    lab.Limits
	deadlines bool // of the requests, are they looked at?
	day       *day
}

// run is the Run of a lab.Trial with this crowd. As there, work once begun is finished,
// whether or not its client is there.
func (t trial) run(ctx context.Context, o options) (result, error) {
	c, err := lab.NewController(t.limits)
	if err != nil {
		return result{}, err
	}
	gate := &lab.DeadlineGate{Gate: c, Random: lab.Seeded(12, 0)}
	working, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(o.ClientTimeout, cut) })()

	load := t.day.crowd.load
	r := result{Day: t.day.name, reached: make([]time.Duration, load.Count()), began: make([]time.Duration, load.Count())}
	var asked, took, reached atomic.Int64 // work in nanoseconds, and requests
	start := time.Now()
	serve := func(ctx context.Context, i int) error {
		r.reached[i] = time.Since(start)
		reached.Add(1)
		work := func() error {
			begin := time.Now()
			r.began[i] = begin.Sub(start)
			d := t.day.serviceTime(r.began[i])
			err := lab.PretendWork(working, d)
			if err == nil {
				asked.Add(int64(d))
				took.Add(int64(time.Since(begin)))
			}
			return err
		}
		if t.deadlines {
			return gate.Do(ctx, work)
		}
		return c.Do(working, work)
	}
	r.samples, err = load.RunEach(ctx, func(_ context.Context, i int) error {
		return t.day.crowd.send(working, i, start, serve)
	})
	if err != nil {
		return result{}, err
	}

	r.Summary = lab.Summarize(t.policy, load, o.WarmUp, r.samples)
	r.PeakLine, r.DeadlineStats = c.Stats().PeakLine, gate.DeadlineStats()
	r.Delivered = delivered(r.samples, o.WarmUp, o.Duration)
	if asked := asked.Load(); asked > 0 {
		r.WorkSlower = float64(took.Load())/float64(asked) - 1
	}
	if s := gate.Stats(); s.Arrived != int(reached.Load()) || s.Running != 0 || s.Waiting != 0 {
		return r, fmt.Errorf("trial %q: the sums do not add up: %d requests came through the gateway, the gate counts %+v",
			t.policy, reached.Load(), s)
	}
	return r, nil
}

// delivered is the goodput by the instants of the answers. By those of the requests, as
// in the other steps, the longest line looks best: much of it is served after the end
// of the load.
func delivered(samples []lab.Sample, from, to time.Duration) float64 {
	n := 0
	for _, s := range samples {
		if s.Outcome == lab.NotSent {
			to = min(to, s.Due)
		}
	}
	for _, s := range samples {
		if at := s.Due + s.Latency; s.Outcome == lab.OK && at >= from && at < to {
			n++
		}
	}
	if to <= from {
		return 0
	}
	return float64(n) / (to - from).Seconds()
}
