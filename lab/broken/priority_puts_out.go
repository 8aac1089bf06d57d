package broken

import (
	"context"
	"slices"
	"sync"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// PutsOut gives the place of one in line to a newcomer that is more important and
// finds the line full.
//
// The one that is put out has waited for nothing, and its client has less time left
// to ask somebody else. If it tries again, it will be put out again.
func PutsOut(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
	p, err := newClassParts(l, s)
	if err != nil {
		return nil, err
	}
	return &putsOut{classParts: p}, nil
}

type putsOut struct {
	*classParts
	mu    sync.Mutex
	queue []*place
}

type place struct {
	class  lab.Criticality
	putOut func()
}

func (c *putsOut) Do(ctx context.Context, work func() error) error {
	class := lab.CriticalityOf(ctx)
	err := c.acquire(ctx, class)
	c.countAs(class, err)
	if err != nil {
		return err
	}
	defer c.release()
	return work()
}

func (c *putsOut) acquire(ctx context.Context, class lab.Criticality) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.trySlot() {
		return nil
	}
	waiting, putOut := context.WithCancel(ctx)
	defer putOut()
	own := &place{class, putOut}
	if !c.join(own) {
		return c.lineFull
	}
	err := c.wait(waiting)
	switch {
	case c.leave(own):
		return err
	case err == nil: // a slot came in that instant
		return nil
	}
	return c.lineFull
}

// join takes a place in line, if it must that of somebody else.
func (c *putsOut) join(own *place) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.line.joinUpTo(c.shares[own.class]) {
		i := slices.IndexFunc(c.queue, func(p *place) bool { return p.class < own.class })
		if i < 0 {
			return false
		}
		c.queue[i].putOut() // MISTAKE: it was let in
		c.queue = slices.Delete(c.queue, i, i+1)
	}
	c.queue = append(c.queue, own)
	return true
}

// leave gives the place back, unless somebody else has it by now.
func (c *putsOut) leave(own *place) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.queue, own)
	if i < 0 {
		return false
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	c.line.leave()
	return true
}
