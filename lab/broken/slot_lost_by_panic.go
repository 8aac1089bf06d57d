package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// SlotLostByPanic gives its slot back after the work, but not in a defer.
//
// net/http recovers the panics of handlers, so the process lives on, with one
// slot less after each.
func SlotLostByPanic(l lab.Limits) (labtest.Controller, error) {
	p, err := newParts(l)
	if err != nil {
		return nil, err
	}
	return &slotLostByPanic{p}, nil
}

type slotLostByPanic struct{ *parts }

func (c *slotLostByPanic) Do(ctx context.Context, work func() error) error {
	err := acquire(ctx, c.parts)
	c.count(err)
	if err != nil {
		return err
	}
	err = work()
	c.release() // MISTAKE: a panic or a Goexit does not come by here
	return err
}
