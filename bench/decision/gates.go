package decision

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"
	"golang.org/x/sync/semaphore"

	"example.com/sheddinglab/lab"
)

// A gate gives out slots. Everybody is called through this interface, so that it
// costs the same for everybody.
type gate interface {
	Acquire(ctx context.Context) error
	Release()
}

// A gatekeeper is somebody who makes gates. Of the limits it takes those it knows.
type gatekeeper struct {
	name string
	new  func(lab.Limits) gate

	cannotWait bool
}

// gatekeepers are those that are compared, the floors first.
var gatekeepers = []gatekeeper{
	{name: "channel", new: func(l lab.Limits) gate {
		return &channel{make(chan struct{}, l.Slots), l.MaxWait}
	}},
	{name: "atomic", cannotWait: true, new: func(l lab.Limits) gate {
		return &counter{slots: int64(l.Slots)}
	}},
	{name: "x-sync", new: func(l lab.Limits) gate {
		return &weighted{semaphore.NewWeighted(int64(l.Slots)), l.MaxWait}
	}},
	{name: "failsafe", new: func(l lab.Limits) gate {
		return &permits{bulkhead.New[any](uint(l.Slots)), l.MaxWait}
	}},
	{name: "lab", new: func(l lab.Limits) gate { return must(lab.NewController(l)) }},
}

// What those gates say that have no error of their own for it.
var (
	errFull    = errors.New("every slot is taken")
	errTooLong = errors.New("waited too long")
)

// channel is the floor of all that can wait: a buffered channel, and a timer for
// whoever has to wait. It knows no context, bounds no line and counts nothing.
type channel struct {
	slots   chan struct{}
	maxWait time.Duration
}

func (c *channel) Acquire(context.Context) error {
	select {
	case c.slots <- struct{}{}:
		return nil
	default:
	}
	if c.maxWait == 0 {
		return errFull
	}
	limit := time.NewTimer(c.maxWait)
	defer limit.Stop()
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-limit.C:
		return errTooLong
	}
}

func (c *channel) Release() { <-c.slots }

// counter is the floor of all: nobody waits.
type counter struct {
	slots int64
	inUse atomic.Int64
}

func (c *counter) Acquire(context.Context) error {
	for {
		n := c.inUse.Load()
		if n >= c.slots {
			return errFull
		}
		if c.inUse.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

func (c *counter) Release() { c.inUse.Add(-1) }

// weighted is the semaphore of golang.org/x/sync. It has no wait limit, so whoever
// must wait does it with a deadline.
type weighted struct {
	*semaphore.Weighted
	maxWait time.Duration
}

func (w *weighted) Acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err // TryAcquire does not look
	}
	if w.TryAcquire(1) {
		return nil
	}
	if w.maxWait == 0 {
		return errFull
	}
	limited, cancel := context.WithTimeout(ctx, w.maxWait)
	defer cancel()
	err := w.Weighted.Acquire(limited, 1)
	if err != nil && ctx.Err() == nil {
		return errTooLong
	}
	return err
}

func (w *weighted) Release() { w.Weighted.Release(1) }

// permits is the bulkhead of failsafe-go. It has a wait limit and no bound on the
// line. Its TryAcquirePermit is the bare channel; this is the call that looks at
// the context too.
type permits struct {
	bulkhead.Bulkhead[any]
	maxWait time.Duration
}

func (p *permits) Acquire(ctx context.Context) error {
	return p.AcquirePermitWithMaxWait(ctx, p.maxWait)
}

func (p *permits) Release() { p.ReleasePermit() }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
