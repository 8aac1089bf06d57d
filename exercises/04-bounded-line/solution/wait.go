package controller

import (
	"context"
	"time"

	"example.com/sheddinglab/lab"
)

// wait stands in line until a slot comes, the wait limit passes or ctx ends.
func (c *Controller) wait(ctx context.Context) error {
	var limit <-chan time.Time // nil is never ready: no limit
	if c.limits.MaxWait != lab.NoLimit {
		timer := time.NewTimer(c.limits.MaxWait)
		defer timer.Stop()
		limit = timer.C
	}
	select {
	case c.slots <- struct{}{}:
	case <-limit:
		return c.shed(lab.WaitedTooLong)
	case <-ctx.Done():
		return ctx.Err()
	}
	// The slot may have come in the instant the wait ended. Then nobody is here to
	// use it, and it goes to the next in line.
	select {
	case <-limit:
		<-c.slots
		return c.shed(lab.WaitedTooLong)
	case <-ctx.Done():
		<-c.slots
		return ctx.Err()
	default:
		return nil
	}
}
