package broken

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// ImportantFirst gives a freed slot to the most important in line.
//
// That is what most people call a priority queue. As long as there is enough that is
// important, whatever else was let in stands in line for all of its wait limit, and
// is shed then. Had it been told so at the door, it would have cost nobody anything.
func ImportantFirst(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
	p, err := newClassParts(l, s)
	if err != nil {
		return nil, err
	}
	return &importantFirst{classParts: p}, nil
}

type importantFirst struct {
	*classParts
	mu    sync.Mutex
	queue []*waiter // in the order they came
}

type waiter struct {
	class lab.Criticality
	slot  chan struct{} // closed when it has one
}

func (c *importantFirst) Do(ctx context.Context, work func() error) error {
	class := lab.CriticalityOf(ctx)
	err := c.acquire(ctx, class)
	c.countAs(class, err)
	if err != nil {
		return err
	}
	defer c.release()
	return work()
}

func (c *importantFirst) acquire(ctx context.Context, class lab.Criticality) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &waiter{class, make(chan struct{})}
	c.mu.Lock()
	if c.trySlot() {
		c.mu.Unlock()
		return nil
	}
	joined := c.line.joinUpTo(c.shares[class])
	if joined {
		c.queue = append(c.queue, w)
	}
	c.mu.Unlock()
	if !joined {
		return c.lineFull
	}
	defer c.line.leave()

	var err error
	select {
	case <-w.slot:
		return nil
	case <-c.limit():
		err = c.waitedTooLong
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !c.leaveQueue(w) {
		c.release() // of the slot that came in that instant
	}
	return err
}

// leaveQueue reports whether w was still in it.
func (c *importantFirst) leaveQueue(w *waiter) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.queue, w)
	if i >= 0 {
		c.queue = slices.Delete(c.queue, i, i+1)
	}
	return i >= 0
}

func (c *importantFirst) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		c.parts.release()
		return
	}
	// MISTAKE: the first of them has been waiting for longest
	next := slices.MaxFunc(c.queue, func(a, b *waiter) int { return cmp.Compare(a.class, b.class) })
	c.queue = slices.DeleteFunc(c.queue, func(w *waiter) bool { return w == next })
	close(next.slot)
}
