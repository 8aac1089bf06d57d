package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// A DeadlineGate turns away the requests that cannot be answered before the deadline
// of their context, as soon as that is known: when they come, while they wait, or at
// the latest when they get a slot. All else it leaves to another gatekeeper, to which
// requests without a deadline go at once. [ReadDeadline] gives requests a deadline.
//
// A request can be answered in time if the time that is left covers the wait and the
// work. The wait is the length of the line ÷ the rate at which the service finishes,
// and that rate is, by Little's law, the requests at work ÷ the mean time of the work.
// (To count what is finished per second would not do: in a quiet hour that is the rate
// at which requests come.) The work takes at most its mean and four deviations.
//
// Set Gate; the other field has a useful zero value. Safe for concurrent use if Random
// is. It must not be copied after its first use.
type DeadlineGate struct {
	Gate Gatekeeper

	// Random returns numbers from 0 up to, but not including, 1, to spread RetryAfter.
	// nil means rand.Float64 of math/rand/v2.
	Random func() float64

	work   workTime
	trying atomic.Bool // somebody is let in to find out how long it takes

	passed, late       atomic.Int64
	fromLine, fromSlot atomic.Int64 // of the late, what Gate counts as gone, and as admitted
}

// Do is the Do of Gate, unless ctx has a deadline that is still to come and cannot be
// kept. Then work does not run, and the error is an [*Overloaded] with WouldBeLate.
//
// The RetryAfter of every Overloaded is the time in which the line as it is now will
// be served, and a random time of up to as long again; at least what Gate says, and
// otherwise at most 30 s.
func (g *DeadlineGate) Do(ctx context.Context, work func() error) error {
	deadline, ok := ctx.Deadline()
	if !ok || ctx.Err() != nil {
		passed := ctx.Err() == context.DeadlineExceeded
		err := g.do(ctx, work, nil)
		if passed {
			g.passed.Add(1) // after Gate has counted it as gone: it is among those
		}
		return err
	}
	load, know := g.Gate.Stats(), g.work.estimate()
	switch {
	case load.Running == 0 && know.stale() && g.trying.CompareAndSwap(false, true):
		// One of them has to find out how long the work takes now. If all were turned
		// away for what it took once, nobody ever would.
		defer g.trying.Store(false)
		return g.do(ctx, work, nil)
	case time.Until(deadline) < know.wait(load)+know.longest:
		return g.refuse(nil)
	}
	inLine, cancel := context.WithDeadline(ctx, deadline.Add(-know.longest))
	defer cancel()
	return g.do(inLine, work, func() bool { return time.Until(deadline) < g.work.estimate().longest })
}

// do waits for a slot until ctx ends, and works in it. If there is a tooLate, it is
// asked before the work begins, and the end of ctx is not that of the request.
func (g *DeadlineGate) do(ctx context.Context, work func() error, tooLate func() bool) error {
	var began, refused bool
	err := g.Gate.Do(ctx, func() error {
		if refused = tooLate != nil && tooLate(); refused {
			return context.DeadlineExceeded // nil would tell Gate of very quick work
		}
		began = true
		begin := time.Now()
		err := work()
		g.work.add(time.Since(begin)) // before the next in line has the slot
		return err
	})
	shed, isShed := errors.AsType[*Overloaded](err)
	switch {
	case began:
		return err
	case refused:
		return g.refuse(&g.fromSlot)
	case tooLate != nil && errors.Is(err, context.DeadlineExceeded):
		return g.refuse(&g.fromLine)
	case isShed:
		return &Overloaded{shed.Reason, max(shed.RetryAfter, g.retryAfter())}
	}
	return err
}

func (g *DeadlineGate) refuse(counted *atomic.Int64) error {
	g.late.Add(1)
	if counted != nil {
		counted.Add(1)
	}
	return &Overloaded{WouldBeLate, g.retryAfter()}
}

// longestRetryAfter bounds what is computed: a [Retry] gives up on more.
const longestRetryAfter = 30 * time.Second

func (g *DeadlineGate) retryAfter() time.Duration {
	random := g.Random
	if random == nil {
		random = rand.Float64
	}
	served := g.work.estimate().wait(g.Gate.Stats())
	return min(time.Duration((1+random())*float64(served)), longestRetryAfter)
}

// DeadlineStats are the counters of a [DeadlineGate] beyond its [Stats].
type DeadlineStats struct {
	WouldBeLate    int `json:"shed_would_be_late"`   // among Arrived, and among no other of the Stats
	DeadlinePassed int `json:"gone_deadline_passed"` // among Gone: they came after their deadline
}

// DeadlineStats returns these counters as they are now.
func (g *DeadlineGate) DeadlineStats() DeadlineStats {
	return DeadlineStats{int(g.late.Load()), int(g.passed.Load())}
}

// deadlineStatsOf returns these counters of gate, or nil if it has none.
func deadlineStatsOf(gate Gatekeeper) *DeadlineStats {
	if g, ok := gate.(*DeadlineGate); ok {
		s := g.DeadlineStats()
		return &s
	}
	return nil
}

// Stats returns the counters of Gate. A request that was turned away because it would
// be late is among those that arrived, and in none of the others.
func (g *DeadlineGate) Stats() Stats {
	// In the opposite order of counting, so that nothing becomes negative.
	fromLine, fromSlot, late := int(g.fromLine.Load()), int(g.fromSlot.Load()), int(g.late.Load())
	s := g.Gate.Stats()
	s.Gone -= fromLine
	s.Admitted -= fromSlot
	s.Arrived += late - fromLine - fromSlot
	return s
}
