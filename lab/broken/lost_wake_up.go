package broken

import (
	"context"
	"slices"
	"sync"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// LostWakeUp wakes the first in line when a slot is freed, also when it has
// woken it before.
//
// Two slots freed in the same instant both wake the first in line, who needs
// one. The second in line sleeps beside a free slot until the next release, and
// everybody who comes queues up behind it.
func LostWakeUp(l lab.Limits) (labtest.Controller, error) {
	p, err := newParts(l)
	if err != nil {
		return nil, err
	}
	return &lostWakeUp{parts: p}, nil
}

type lostWakeUp struct {
	*parts
	mu    sync.Mutex
	queue []chan struct{} // the wake-ups of those in line, the first in front
}

func (c *lostWakeUp) Do(ctx context.Context, work func() error) error {
	err := c.acquire(ctx)
	c.count(err)
	if err != nil {
		return err
	}
	defer c.release()
	return work()
}

func (c *lostWakeUp) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 && c.trySlot() {
		return nil
	}
	if err := c.join(); err != nil {
		return err
	}
	defer c.line.leave()
	wakeUp := make(chan struct{}, 1)
	c.queue = append(c.queue, wakeUp)

	c.mu.Unlock()
	err := c.sleep(ctx, wakeUp)
	c.mu.Lock()

	c.queue = slices.DeleteFunc(c.queue, func(w chan struct{}) bool { return w == wakeUp })
	if err != nil {
		c.wakeFirst()
		return err
	}
	c.trySlot() // MISTAKE: if another slot is free by now, the next in line must be woken for it
	return nil
}

func (c *lostWakeUp) sleep(ctx context.Context, wakeUp chan struct{}) error {
	select {
	case <-wakeUp:
		return ctx.Err()
	case <-c.limit():
		return c.waitedTooLong
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *lostWakeUp) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts.release()
	c.wakeFirst()
}

func (c *lostWakeUp) wakeFirst() {
	if len(c.queue) == 0 || len(c.slots) == cap(c.slots) {
		return
	}
	select {
	case c.queue[0] <- struct{}{}:
	default: // it has been woken and has not run yet
	}
}
