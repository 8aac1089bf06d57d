package labtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/sheddinglab/lab"
)

// The service of these checks: the best limit is 8, with which work takes almost two
// seconds, and the service finishes 4.3 per second. Its times are odd, so that no two
// events fall in the same instant, where chance would decide which comes first.
const (
	bestLimit = 8
	mostSlots = 64
	overload  = 2.0 // times what it can finish
)

// An adaptiveCrew sends loads through one controller to one service.
type adaptiveCrew struct {
	new     AdaptiveConstructor
	ctrl    AdaptiveController
	service *lab.Contended
}

func (c *adaptiveCrew) build(start int) {
	l := lab.Limits{Slots: start, MaxWaiting: 13, MaxWait: 2987 * time.Millisecond}
	how := lab.Adaptation{Min: 2, Max: mostSlots, Tolerance: 1.25, Round: 4, Probe: time.Minute}
	ctrl, err := c.new(l, how)
	if err != nil {
		fail(fmt.Sprintf("the constructor refused %+v with %+v: %v", l, how, err), "a controller")
	}
	c.ctrl = ctrl
	c.service = &lab.Contended{Alone: 1001300 * time.Microsecond, Knee: bestLimit}
}

// A phase is a load, and how work goes meanwhile.
type phase struct {
	load   float64 // in multiples of what the service can finish
	length time.Duration
	fail   func(ctx context.Context, i int) error // what becomes of request i instead of work, nil: work

	served float64 // afterwards: of what the service can finish, in the second half
	limits []int   // each second of the second half
}

// run sends the load of the phase, and waits until everybody has an answer.
func (c *adaptiveCrew) run(p phase) phase {
	load := lab.OpenLoop{Rate: p.load * c.service.Throughput(bestLimit), Duration: p.length, Patience: time.Minute}
	watching, stop := context.WithCancel(context.Background())
	limits := make(chan []int)
	go func() { limits <- lab.Watch(watching, c.ctrl.Limit) }()
	samples, err := load.RunEach(context.Background(), func(ctx context.Context, i int) error {
		return c.ctrl.Do(ctx, func() error {
			if p.fail != nil {
				if err := p.fail(ctx, i); err != nil {
					return err
				}
			}
			return c.service.Do(ctx, lab.MixedSize(i))
		})
	})
	stop()
	readings := <-limits
	if err != nil {
		panic(err) // a fault of the check
	}
	summary := lab.Summarize("", load, 0, samples)
	_, ok := summary.Between(p.length/2, p.length)
	p.served = float64(ok) / (p.length / 2).Seconds() / c.service.Throughput(bestLimit)
	p.limits = readings[int(p.length/2/lab.WatchEvery):int(p.length/lab.WatchEvery)]
	return p
}

// middle is the limit that half of the readings are below, and low and high what 15 %
// are below and 5 % are above: a limit may go down for a moment, to measure something.
func (p phase) middle() int { return p.rank(0.5) }
func (p phase) low() int    { return p.rank(0.15) }
func (p phase) high() int   { return p.rank(0.95) }

func (p phase) rank(share float64) int {
	sorted := slices.Sorted(slices.Values(p.limits))
	return sorted[int(share*float64(len(sorted)))]
}

func (p phase) String() string {
	return fmt.Sprintf("%.0f%% of the most that can be served, with a limit of mostly %d to %d", 100*p.served, p.low(), p.high())
}

// wantServed ends the check unless at least a share of the most there can be was served.
func (p phase) wantServed(when string, atLeast float64) {
	if p.served < atLeast {
		fail(fmt.Sprintf("%s: %v", when, p), fmt.Sprintf("at least %.0f%%; the best fixed limit is %d", 100*atLeast, bestLimit))
	}
}

func staysNearTheBest(c *adaptiveCrew) {
	for _, start := range []int{1, bestLimit, mostSlots} {
		c.build(start)
		c.run(phase{load: overload, length: 10 * time.Minute}).
			wantServed(fmt.Sprintf("from %d, in the last 5 of 10 minutes", start), 0.85)
	}
}

func doesNotSwing(c *adaptiveCrew) {
	c.build(bestLimit)
	p := c.run(phase{load: overload, length: 10 * time.Minute})
	if p.high() > 2*p.low() {
		fail(fmt.Sprintf("in the last 5 of 10 minutes: %v", p), "a limit that is never twice what it is at other times")
	}
}

func slowdownBecomesNormal(c *adaptiveCrew) {
	const slower = 4
	c.build(bestLimit)
	c.run(phase{load: overload, length: 2 * time.Minute})
	c.service.Slow(slower)
	p := c.run(phase{load: overload, length: 10 * time.Minute})
	p.served *= slower
	p.wantServed("when all work takes four times as long, in the last 5 of 10 minutes", 0.7)
}

func quickFailuresAreNoSamples(c *adaptiveCrew) {
	refused := errors.New("refused by what is behind the service")
	for _, oneIn := range []int{2, 10} {
		c.build(bestLimit)
		before := c.run(phase{load: overload, length: 4 * time.Minute})
		p := c.run(phase{load: overload * float64(oneIn), length: 4 * time.Minute,
			fail: func(_ context.Context, i int) error {
				if i%oneIn != 0 {
					return refused
				}
				return nil
			}})
		if 2*p.middle() > 3*before.middle() {
			fail(fmt.Sprintf("when all but one in %d fail at once, the limit is mostly %d, and was %d before", oneIn, p.middle(), before.middle()),
				"about the same")
		}
	}
}

func timeoutsLowerTheLimit(c *adaptiveCrew) {
	c.build(bestLimit)
	before := c.run(phase{load: overload, length: 4 * time.Minute})
	p := c.run(phase{load: overload, length: 2 * time.Minute,
		fail: func(ctx context.Context, _ int) error {
			return errors.Join(lab.PretendWork(ctx, 5*time.Second), context.DeadlineExceeded)
		}})
	if 2*p.middle() > before.middle() || p.low() < 1 {
		fail(fmt.Sprintf("when every request times out, the limit is mostly %d to %d, and was %d before", p.low(), p.high(), before.middle()),
			"at most half of it, and at least 1")
	}
	c.run(phase{load: overload, length: 4 * time.Minute}).wantServed("in the last 2 of 4 minutes after that", 0.8)
}

func unusedLimitDoesNotGrow(c *adaptiveCrew) {
	c.build(bestLimit)
	before := c.run(phase{load: overload, length: 4 * time.Minute})
	p := c.run(phase{load: 0.2, length: 10 * time.Minute})
	if 2*p.high() > 3*before.high() || p.low() < 1 {
		fail(fmt.Sprintf("with a fifth of the load that can be served, the limit is mostly %d to %d, and was at most %d under overload", p.low(), p.high(), before.high()),
			"about the same, and at least 1")
	}
	c.run(phase{load: overload, length: 4 * time.Minute}).wantServed("when the load is back, in the last 2 of 4 minutes", 0.8)
}
