// Package gate lets a service work on a few requests at a time.
package gate

import (
	"context"

	"example.com/sheddinglab/lab"
)

// A Gate stands in front of a service. It lets a fixed number of requests be worked
// on at a time, and a number of others wait. Make one with [New].
type Gate struct {
	slots  chan struct{} // holds a token for every request that is worked on
	inside chan struct{} // and this one for those that wait too
}

// New returns a gate with slots for the requests that are worked on, and places for
// those that wait.
func New(slots, places int) *Gate {
	return &Gate{
		slots:  make(chan struct{}, slots),
		inside: make(chan struct{}, slots+places),
	}
}

// Do runs work in a slot and returns work's error.
func (g *Gate) Do(ctx context.Context, work func() error) error {
	select {
	case g.inside <- struct{}{}:
	default: // not even a place to wait
		return lineFull
	}
	defer func() { <-g.inside }()

	g.slots <- struct{}{}
	defer func() { <-g.slots }()
	return work()
}

// lineFull is what a request is told that is turned away.
var lineFull = &lab.Overloaded{Reason: lab.LineFull}
