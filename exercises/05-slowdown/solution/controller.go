// Package controller is an admission controller with a line that is bounded by count
// and by time. How a request joins the line is in line.go, and how it waits there is
// in wait.go.
package controller

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"example.com/sheddinglab/lab"
)

// A Controller has requests worked on, has them wait in line, or turns them away.
// Make one with [New].
type Controller struct {
	limits lab.Limits
	slots  chan struct{} // holds a token for every request that is worked on
	line   line

	admitted, lineFull, waitedTooLong, gone atomic.Int64
}

// New returns a controller with all slots free, or an error that names the limit at
// fault.
func New(l lab.Limits) (*Controller, error) {
	if _, err := lab.NewController(l); err != nil {
		return nil, err
	}
	c := &Controller{limits: l, slots: make(chan struct{}, l.Slots)}
	c.line.places = l.MaxWaiting
	if l.MaxWaiting == lab.NoLimit {
		c.line.places = math.MaxInt
	}
	return c, nil
}

// Do runs work in a slot, waiting in line for one if it must, and returns work's
// error. The errors for a request that gets no slot are those of [lab.Controller].
func (c *Controller) Do(ctx context.Context, work func() error) error {
	err := c.acquire(ctx)
	c.count(err)
	if err != nil {
		return err
	}
	defer func() { <-c.slots }()
	return work()
}

func (c *Controller) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	default: // every slot is busy
	}
	if !c.line.join() {
		return c.shed(lab.LineFull)
	}
	defer c.line.leave()
	return c.wait(ctx)
}

// shed is what a request is told that is turned away.
func (c *Controller) shed(why lab.Reason) error {
	return &lab.Overloaded{Reason: why, RetryAfter: c.limits.RetryAfter}
}

// count adds one to the counter of the outcome err.
func (c *Controller) count(err error) {
	shed, isShed := errors.AsType[*lab.Overloaded](err)
	switch {
	case err == nil:
		c.admitted.Add(1)
	case isShed && shed.Reason == lab.LineFull:
		c.lineFull.Add(1)
	case isShed:
		c.waitedTooLong.Add(1)
	default:
		c.gone.Add(1)
	}
}

// Stats returns the counters as they are now.
func (c *Controller) Stats() lab.Stats {
	s := lab.Stats{
		Running:           len(c.slots),
		Admitted:          int(c.admitted.Load()),
		ShedLineFull:      int(c.lineFull.Load()),
		ShedWaitedTooLong: int(c.waitedTooLong.Load()),
		Gone:              int(c.gone.Load()),
	}
	s.Waiting, s.PeakLine = c.line.now()
	s.Arrived = s.Waiting + s.Admitted + s.ShedLineFull + s.ShedWaitedTooLong + s.Gone
	return s
}
