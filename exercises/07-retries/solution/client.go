// Package client sends requests, and sends some of those that were turned away again.
package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"example.com/sheddinglab/lab"
)

const tries = 3 // of one request, at most

// A Client is shared by all requests to one service. Make one with [New]. Safe for
// concurrent use.
type Client struct {
	budget budget
}

// New returns a client with a full budget.
func New() *Client { return &Client{} }

// Do calls send, and again if it was turned away. It returns what the last call did.
// The deadline of ctx, if it has one, is the end of its user's patience.
func (c *Client) Do(ctx context.Context, send func(context.Context) error) error {
	c.budget.earn()
	for try := 1; ; try++ {
		err := send(ctx)
		refusal, refused := errors.AsType[*lab.Overloaded](err)
		if !refused || try == tries {
			return err
		}
		wait := refusal.RetryAfter + time.Duration(rand.Float64()*float64(refusal.RetryAfter))
		deadline, ok := ctx.Deadline()
		if ok && time.Until(deadline) <= wait || !c.budget.pay() || !sleep(ctx, wait) {
			return err
		}
	}
}

// sleep reports false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
