// Package controller is an admission controller with a line of its own making: a
// mutex, and a channel for each request that waits.
package controller

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
)

// A Controller has requests worked on, has them wait in line, or turns them away.
// Make one with [New].
type Controller struct {
	limits lab.Limits

	mu    sync.Mutex
	line  []place   // the first in line in front; empty as long as a slot is free
	stats lab.Stats // without Waiting and Arrived
}

// A place in line is closed when its request is given a slot.
type place chan struct{}

// New returns a controller with all slots free, or an error that names the limit at
// fault.
func New(l lab.Limits) (*Controller, error) {
	if _, err := lab.NewController(l); err != nil {
		return nil, err
	}
	if l.MaxWaiting == lab.NoLimit {
		l.MaxWaiting = math.MaxInt
	}
	if l.MaxWait == lab.NoLimit {
		l.MaxWait = math.MaxInt64
	}
	return &Controller{limits: l}, nil
}

// Do runs work in a slot, waiting in line for one if it must, and returns work's
// error. The errors for a request that gets no slot are those of [lab.Controller].
func (c *Controller) Do(ctx context.Context, work func() error) error {
	err := c.acquire(ctx)
	c.count(err)
	if err != nil {
		return err
	}
	defer c.release()
	return work()
}

func (c *Controller) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p, err := c.enter()
	if p == nil {
		return err
	}
	limit := time.NewTimer(c.limits.MaxWait)
	defer limit.Stop()
	select {
	case <-p:
		return nil
	case <-limit.C:
		c.leave(p)
		return c.shed(lab.WaitedTooLong)
	case <-ctx.Done():
		c.leave(p)
		return ctx.Err()
	}
}

// enter takes a slot if one is free, and otherwise returns a place in line, or the
// error that there is none.
func (c *Controller) enter() (place, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.stats.Running < c.limits.Slots:
		c.stats.Running++
		return nil, nil
	case len(c.line) >= c.limits.MaxWaiting:
		return nil, c.shed(lab.LineFull)
	}
	p := make(place)
	c.line = append(c.line, p)
	c.stats.PeakLine = max(c.stats.PeakLine, len(c.line))
	return p, nil
}

// leave takes p out of the line.
func (c *Controller) leave(p place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.line, p)
	if i < 0 { // its request has been given a slot, in the instant it gave up
		c.passOn()
		return
	}
	c.line = slices.Delete(c.line, i, i+1)
}

func (c *Controller) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passOn()
}

// passOn gives a slot to the first in line, or makes it free. It wants mu held.
func (c *Controller) passOn() {
	if len(c.line) == 0 {
		c.stats.Running--
		return
	}
	close(c.line[0])
	c.line = c.line[1:]
}

// shed is what a request is told that is turned away.
func (c *Controller) shed(why lab.Reason) error {
	return &lab.Overloaded{Reason: why, RetryAfter: c.limits.RetryAfter}
}
