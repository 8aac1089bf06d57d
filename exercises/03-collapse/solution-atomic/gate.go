// Package gate is another solution: it counts those inside with an atomic counter.
package gate

import (
	"context"
	"sync/atomic"

	"example.com/sheddinglab/lab"
)

// A Gate lets slots requests be worked on at a time, and places others wait.
type Gate struct {
	slots  chan struct{}
	most   int64        // slots and places
	inside atomic.Int64 // 0 to most
}

// New returns a gate.
func New(slots, places int) *Gate {
	return &Gate{slots: make(chan struct{}, slots), most: int64(slots + places)}
}

// Do runs work in a slot and returns work's error.
func (g *Gate) Do(ctx context.Context, work func() error) error {
	if !g.enter() {
		return lineFull
	}
	defer g.inside.Add(-1)
	g.slots <- struct{}{}
	defer func() { <-g.slots }()
	return work()
}

func (g *Gate) enter() bool {
	for {
		n := g.inside.Load()
		if n >= g.most {
			return false
		}
		if g.inside.CompareAndSwap(n, n+1) { // false: somebody else was quicker
			return true
		}
	}
}

var lineFull = &lab.Overloaded{Reason: lab.LineFull}
