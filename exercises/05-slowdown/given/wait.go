package controller

import "context"

// wait stands in line until a slot comes or ctx ends.
func (c *Controller) wait(ctx context.Context) error {
	// GAP: a request waits here for as long as it takes. When it has waited for
	// c.limits.MaxWait, which may be lab.NoLimit, let it leave with
	// c.shed(lab.WaitedTooLong). It must not take a slot with it.
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	// The slot may have come in the instant its client left. Then nobody is here to
	// use it, and it goes to the next in line.
	select {
	case <-ctx.Done():
		<-c.slots
		return ctx.Err()
	default:
		return nil
	}
}
