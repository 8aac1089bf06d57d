package main

import (
	"context"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
)

// A day is what every policy lives through: the same load on the same kind of
// service, which slows down for a while.
type day struct {
	serviceTime, patience, duration, settle, slowAfter, slowFor, maxWait, probe *time.Duration
	knee, multiple, slowFactor, tolerance, round, hastyRound                    *float64
	least, most                                                                 *int
}

func newDay(step *lab.Step) *day {
	return &day{
		serviceTime: step.Millis("service-time", lab.DefaultServiceTime, "how long the pretend work takes alone"),
		knee:        step.Float("knee", 16, "with so many at work the service finishes the most"),
		patience:    step.Millis("client-timeout", lab.DefaultClientTimeout, "the clients' patience"),
		multiple:    step.Float("multiple", 2, "offered load, in multiples of the most that the service can finish"),
		duration:    step.Seconds("duration", 13*time.Second, "how long requests keep coming"),
		slowAfter:   step.Seconds("slow-after", 5*time.Second, "when the service slows down"),
		slowFor:     step.Seconds("slow-for", 3*time.Second, "how long it stays slow"),
		slowFactor:  step.Float("slow-factor", 4, "how many times longer the work takes then"),
		settle:      step.Seconds("settle", 2*time.Second, "how long a limit may take to find itself"),
		maxWait:     step.Millis("max-wait", 300*time.Millisecond, "longest wait in line"),
		least:       step.Int("min", 2, "lowest limit, and the one while the time alone is measured"),
		most:        step.Int("max", 64, "highest limit"),
		tolerance:   step.Float("tolerance", 1.25, "how many times longer than alone work may take"),
		round:       step.Float("round", 4, "from one change of the limit to the next, in multiples of the time alone"),
		hastyRound:  step.Float("hasty-round", 0.05, "the same, for the hasty one"),
		probe:       step.Seconds("probe", 5*time.Second, "how often the time alone is measured anew"),
	}
}

func (d *day) adaptation(round float64) lab.Adaptation {
	return lab.Adaptation{Min: *d.least, Max: *d.most, Tolerance: *d.tolerance, Round: round, Probe: *d.probe}
}

// peak is the most that the service can finish in a second.
func (d *day) peak() float64 {
	service := lab.Contended{Alone: *d.serviceTime, Knee: *d.knee}
	return service.Throughput(max(1, int(*d.knee+0.5)))
}

func (d *day) load() lab.OpenLoop {
	return lab.OpenLoop{Rate: *d.multiple * d.peak(), Duration: *d.duration, Patience: *d.patience}
}

func (d *day) limits(slots int) lab.Limits {
	return lab.Limits{Slots: slots, MaxWaiting: lab.LittlesLaw(d.peak(), *d.maxWait), MaxWait: *d.maxWait, RetryAfter: time.Second}
}

// halves are the fixed limits: the highest, half of it, and so on, the lowest first.
func (d *day) halves() (limits []int) {
	for n := *d.most; n >= 1; n /= 2 {
		limits = append([]int{n}, limits...)
	}
	return limits
}

// A span is a part of the day.
type span struct{ from, to time.Duration }

// before and after are when a limit should have found itself: before the slowdown, and
// after it.
func (d *day) before() span { return span{*d.settle, *d.slowAfter} }
func (d *day) slow() span   { return span{*d.slowAfter, *d.slowAfter + *d.slowFor} }
func (d *day) after() span  { return span{d.slow().to + *d.settle, *d.duration} }

func (s span) has(at time.Duration) bool { return at >= s.from && at < s.to }

// goodput is per second of the span.
func (s span) goodput(run lab.Summary) float64 {
	if s.to <= s.from {
		return 0
	}
	_, ok := run.Between(s.from, s.to)
	return float64(ok) / (s.to - s.from).Seconds()
}

// A row is what became of one policy.
type row struct {
	lab.Summary
	Slots  int     `json:"slots,omitempty"` // 0 if they find themselves
	Before float64 `json:"before_rps"`      // goodput
	Slow   float64 `json:"slow_rps"`
	After  float64 `json:"after_rps"`

	Limits          []int `json:"limits,omitempty"` // at the instants of lab.Watch
	Lowest, Highest int   `json:"-"`                // before and after, but for the probes
}

// fixed lives through the day with a fixed number of slots.
func (d *day) fixed(ctx context.Context, name string, slots int) (row, error) {
	gate, err := lab.NewController(d.limits(slots))
	if err != nil {
		return row{}, lab.Usage(err)
	}
	r, err := d.run(ctx, name, gate)
	r.Slots = slots
	return r, err
}

// adaptive lives through the day with a number of slots that finds itself.
func (d *day) adaptive(ctx context.Context, name string, start int, round float64) (row, error) {
	gate, err := lab.NewAdaptive(d.limits(start), d.adaptation(round))
	if err != nil {
		return row{}, lab.Usage(err)
	}
	var limits []int
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	var watch sync.WaitGroup
	settled := []int{}
	watch.Go(func() {
		start := time.Now()
		limits = lab.Watch(watching, func() int {
			s, at := gate.AdaptiveStats(), time.Since(start)
			if !s.Probing && (d.before().has(at) || d.after().has(at)) {
				settled = append(settled, s.Limit)
			}
			return s.Limit
		})
	})
	r, err := d.run(ctx, name, gate)
	stop()
	watch.Wait()
	r.Limits = limits
	if len(settled) > 0 {
		r.Lowest, r.Highest = bounds(settled)
	}
	return r, err
}

// run sends the load through the gate.
func (d *day) run(ctx context.Context, name string, gate lab.Gatekeeper) (row, error) {
	service := lab.Contended{Alone: *d.serviceTime, Knee: *d.knee}
	slows := time.AfterFunc(d.slow().from, func() { service.Slow(*d.slowFactor) })
	defer slows.Stop()
	recovers := time.AfterFunc(d.slow().to, func() { service.Slow(1) })
	defer recovers.Stop()

	load := d.load()
	samples, err := load.RunEach(ctx, func(ctx context.Context, i int) error {
		return gate.Do(ctx, func() error { return service.Do(ctx, lab.MixedSize(i)) })
	})
	if err != nil {
		return row{}, lab.Usage(err)
	}
	s := lab.Summarize(name, load, 0, samples)
	s.PeakLine, s.WorkSlower = gate.Stats().PeakLine, service.WorkSlower()
	return row{Summary: s, Before: d.before().goodput(s), Slow: d.slow().goodput(s), After: d.after().goodput(s)}, nil
}
