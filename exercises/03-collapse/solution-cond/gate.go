// Package gate is another solution: a mutex, two counters and a condition variable.
package gate

import (
	"context"
	"sync"

	"example.com/sheddinglab/lab"
)

// A Gate lets a number of requests be worked on at a time, and places others wait.
type Gate struct {
	mu      sync.Mutex
	freed   *sync.Cond // a slot has become free
	free    int        // slots
	waiting int
	places  int
}

// New returns a gate.
func New(slots, places int) *Gate {
	g := &Gate{free: slots, places: places}
	g.freed = sync.NewCond(&g.mu)
	return g
}

// Do runs work in a slot and returns work's error.
func (g *Gate) Do(ctx context.Context, work func() error) error {
	if !g.enter() {
		return lineFull
	}
	defer g.leave()
	return work()
}

// enter takes a slot, waiting for one if it must, and reports false if there is no
// place to wait.
func (g *Gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.free == 0 {
		if g.waiting == g.places {
			return false
		}
		g.waiting++
		for g.free == 0 {
			g.freed.Wait()
		}
		g.waiting--
	}
	g.free--
	return true
}

func (g *Gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free++
	g.freed.Signal()
}

var lineFull = &lab.Overloaded{Reason: lab.LineFull}
