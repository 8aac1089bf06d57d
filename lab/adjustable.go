package lab

import (
	"context"
	"fmt"
	"sync"
)

// An Adjustable is a [Controller] whose number of slots may change while it works.
// Raising it lets in those who wait, first come, first served, before SetLimit
// returns and before any newcomer. Lowering it cuts nobody off: as long as more are
// worked on than the limit allows, a slot that is given back goes to nobody. (One that
// comes to a request in the instant it gives up was given before that, and still goes to
// the next in line.)
//
// Make one with [NewAdjustable]; the zero value is not usable. All methods are safe
// for concurrent use.
type Adjustable struct {
	// c has as many slots as there may ever be. Those beyond the limit are held
	// back: nobody works in them, but for c they are busy. So c, which knows of no
	// change, keeps the order, the bounds and the counts.
	c *Controller

	mu       sync.Mutex
	limit    int
	heldBack int // slots; fewer than it should be, while more are worked on than limit
}

// NewAdjustable returns a controller that begins with l.Slots slots, and may have up
// to most. The other limits stay as they are. Its errors name the limit at fault.
func NewAdjustable(l Limits, most int) (*Adjustable, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	if most < l.Slots {
		return nil, fmt.Errorf("adjustable: Slots is %d, want at most %d", l.Slots, most)
	}
	first := l.Slots
	l.Slots = most
	c, err := NewController(l)
	if err != nil {
		return nil, err
	}
	a := &Adjustable{c: c}
	c.giveBack = a.Release
	a.SetLimit(first)
	return a, nil
}

// SetLimit changes the number of slots to n, and to the nearest it may be if that is
// below 1 or above what NewAdjustable was told. It does not wait for anybody.
func (a *Adjustable) SetLimit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.limit = min(max(n, 1), cap(a.c.slots))
	for a.heldBack > a.toHoldBack() {
		a.heldBack--
		a.c.Release()
	}
	for a.heldBack < a.toHoldBack() && a.take() {
		a.heldBack++
	}
}

// toHoldBack is how many slots nobody should work in.
func (a *Adjustable) toHoldBack() int { return cap(a.c.slots) - a.limit }

// take takes a slot away if one is free. It must not wait for one: whoever gives one
// back waits for mu.
func (a *Adjustable) take() bool {
	// Whoever has just given up in line may still be counted inside. So the channel says
	// whether a slot is free, and any place inside will do.
	if len(a.c.slots) == cap(a.c.slots) || a.c.line.enter(a.c.limit) == 0 {
		return false
	}
	select {
	case a.c.slots <- struct{}{}:
		return true
	default: // a newcomer was quicker
		a.c.line.leave()
		return false
	}
}

// Limit is the number of slots. More may be worked on for a while after it was
// lowered.
func (a *Adjustable) Limit() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limit
}

// Do is [Controller.Do].
func (a *Adjustable) Do(ctx context.Context, work func() error) error {
	if err := a.Acquire(ctx); err != nil {
		return err
	}
	defer a.Release()
	return work()
}

// Acquire is [Controller.Acquire].
func (a *Adjustable) Acquire(ctx context.Context) error { return a.c.Acquire(ctx) }

// Release gives back a slot that Acquire got. The first in line gets it, or nobody,
// if the limit is lower than it was. It panics if no slot is held.
func (a *Adjustable) Release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case len(a.c.slots) == a.heldBack:
		panic("lab: Adjustable.Release without a matching Acquire")
	case a.heldBack < a.toHoldBack():
		a.heldBack++
	default:
		a.c.Release()
	}
}

// Stats returns the counters as they are now.
func (a *Adjustable) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.c.Stats()
	s.Running -= a.heldBack
	return s
}
