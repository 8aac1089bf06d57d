package lab

import (
	"context"
	"sync/atomic"
	"time"
)

// A Controller decides which requests a service works on, which wait in line
// and which are turned away. Requests are served first come, first served: a
// newcomer never overtakes one that waits.
//
// Make one with [NewController]; the zero value is not usable. All methods are
// safe for concurrent use.
//
// The idea is the bounded queue in front of a fixed number of workers, from
// "Addressing Cascading Failures" in the SRE book
// (https://sre.google/sre-book/addressing-cascading-failures/).
type Controller struct {
	// slots holds a token for every request being worked on, so its capacity
	// bounds them. When it is full, senders queue inside the channel in the
	// order they came, and a receive passes the freed slot to the first of
	// them before a newcomer can see it.
	slots chan struct{}

	line  *line
	limit int64 // of requests in a slot and in line

	maxWait time.Duration // or NoLimit

	giveBack func() // Release, or that of the Adjustable around this

	// One error for each reason, made in advance: refusing must not allocate.
	lineFull, waitedTooLong *Overloaded
	noPlace                 *Overloaded // the one of them for a request that finds no place

	// Every request adds one to exactly one of these, in Acquire.
	admitted, shedLineFull, shedWaitedTooLong, gone atomic.Int64
}

// NewController returns a controller with all slots free, or an error that
// names the limit at fault.
func NewController(l Limits) (*Controller, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	return newController(l, make(chan struct{}, l.Slots), &line{slots: int64(l.Slots)}), nil
}

// newController returns a controller of slots and a line that it may share with
// others: only the limits and the counters are its own.
func newController(l Limits, slots chan struct{}, line *line) *Controller {
	c := &Controller{
		slots:         slots,
		line:          line,
		limit:         l.inside(),
		maxWait:       l.MaxWait,
		lineFull:      &Overloaded{LineFull, l.RetryAfter},
		waitedTooLong: &Overloaded{WaitedTooLong, l.RetryAfter},
	}
	c.giveBack = c.Release
	c.noPlace = c.lineFull
	if l.MaxWait == 0 && l.MaxWaiting != 0 { // there is a line, but nobody may stand in it
		c.noPlace = c.waitedTooLong
	}
	return c
}

// Do runs work in a slot, waiting in line for one if it must, and returns
// work's error. A request that got no slot is told so by the errors of
// [Controller.Acquire], and work does not run. The slot is given back when work
// returns, panics or calls [runtime.Goexit].
//
// Work must not call Do on the same controller: it would wait for a slot while
// it holds one, and with MaxWait: NoLimit it may wait for ever. Ask for a slot
// once, at the edge of the service, or give the inner work its own controller.
func (c *Controller) Do(ctx context.Context, work func() error) error {
	if err := c.Acquire(ctx); err != nil {
		return err
	}
	defer c.Release()
	return work()
}

// Acquire gets a slot, for work that outlives a call; prefer [Controller.Do].
// It returns nil with the slot held, or without it
//
//   - ctx.Err(), unchanged, if ctx was done before a slot came,
//   - an [*Overloaded] with LineFull, at once, if every slot is busy and the
//     line is full,
//   - an [*Overloaded] with WaitedTooLong after MaxWait in line.
//
// A free slot is given to any caller whose ctx is not done, whatever the limits.
func (c *Controller) Acquire(ctx context.Context) error {
	err := c.acquire(ctx)
	switch err {
	case nil:
		c.admitted.Add(1)
	case c.lineFull:
		c.shedLineFull.Add(1)
	case c.waitedTooLong:
		c.shedWaitedTooLong.Add(1)
	default:
		c.gone.Add(1)
	}
	return err
}

func (c *Controller) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err // select picks at random: it would let in half of the dead
	}
	if !c.line.join(c.limit) {
		return c.noPlace
	}
	select {
	case c.slots <- struct{}{}: // the channel is full as long as anybody waits in it
		return nil
	default:
		return c.wait(ctx)
	}
}

// wait stands in line until a slot comes, the wait limit passes or ctx ends. It is
// not for those alone who joined the line: a request for which there was a slot may
// find that a newcomer was quicker.
func (c *Controller) wait(ctx context.Context) error {
	var limit <-chan time.Time // nil is never ready
	if c.maxWait > 0 {         // with 0 nobody waits, or just for a Release that has begun
		timer := time.NewTimer(c.maxWait)
		defer timer.Stop()
		limit = timer.C
	}
	select {
	case c.slots <- struct{}{}:
	case <-limit:
		c.line.leave()
		return c.waitedTooLong
	case <-ctx.Done():
		c.line.leave()
		return ctx.Err()
	}
	// A slot may come in the instant the wait ends, or after it. Then nobody is
	// here to use it, and it goes to the next in line.
	select {
	case <-limit:
		c.giveBack()
		return c.waitedTooLong
	case <-ctx.Done():
		c.giveBack()
		return ctx.Err()
	default:
		return nil
	}
}

// Release gives back a slot that Acquire got; the first in line gets it. It
// panics if no slot is held. A second Release for one Acquire may free the slot
// of somebody else: [Controller.Do] rules that out.
func (c *Controller) Release() {
	c.line.leave() // before the slot is free, so that whoever sees it free finds a place
	select {
	case <-c.slots:
	default:
		c.line.inside.Add(1)
		panic("lab: Controller.Release without a matching Acquire")
	}
}
