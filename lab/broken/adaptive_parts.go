package broken

import (
	"context"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// adjustableParts are what the controllers here are built from whose number of slots
// may be changed. As with parts, there is no mistake in this file.
type adjustableParts struct {
	*parts // with the most slots there may be

	mu       sync.Mutex
	limit    int
	heldBack int // slots that are kept from everybody
}

func (p *adjustableParts) toHoldBack() int { return cap(p.slots) - p.limit }

// setLimit changes the limit to n. It is called with mu held.
func setLimit(p *adjustableParts, n int) {
	p.limit = min(max(n, 1), cap(p.slots))
	for ; p.heldBack > p.toHoldBack(); p.heldBack-- {
		p.release()
	}
	for ; p.heldBack < p.toHoldBack() && p.trySlot(); p.heldBack++ {
	}
}

// giveBack gives back a slot when the work has ended. It is called with mu held.
func giveBack(p *adjustableParts) {
	if p.heldBack < p.toHoldBack() {
		p.heldBack++
		return
	}
	p.release()
}

// adjustable puts the parts together with a way to change the limit and one to give
// back a slot.
type adjustable struct {
	*adjustableParts
	set  func(p *adjustableParts, n int)
	give func(p *adjustableParts)
}

func (a *adjustable) Do(ctx context.Context, work func() error) error {
	err := acquire(ctx, a.parts)
	a.count(err)
	if err != nil {
		return err
	}
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.give(a.adjustableParts)
	}()
	return work()
}

func (a *adjustable) SetLimit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.set(a.adjustableParts, n)
}

func (a *adjustable) Limit() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limit
}

func (a *adjustable) Stats() lab.Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.parts.Stats()
	s.Running -= a.heldBack
	return s
}

// assembleAdjustable returns a controller that changes its limit with set, and gives
// back its slots with give.
func assembleAdjustable(l lab.Limits, most int, set func(*adjustableParts, int), give func(*adjustableParts)) (labtest.AdjustableController, error) {
	first := l.Slots
	l.Slots = most
	p, err := newParts(l)
	if err != nil {
		return nil, err
	}
	a := &adjustableParts{parts: p}
	setLimit(a, first)
	return &adjustable{a, set, give}, nil
}

// An algorithm finds a limit, as lab.Gradient does.
type algorithm interface {
	Begin(running int) (number int)
	End(now time.Time, took time.Duration, number int, failed bool)
	Limit() int
}

// adaptiveParts are what the controllers here are built from whose number of slots
// finds itself.
type adaptiveParts struct {
	gate *lab.Adjustable

	mu        sync.Mutex
	algorithm algorithm
	running   int
}

// adaptFunc runs work in a slot, and lets the limit learn from it.
type adaptFunc func(ctx context.Context, p *adaptiveParts, work func() error) error

// adapt is the correct one.
func adapt(ctx context.Context, p *adaptiveParts, work func() error) error {
	return p.gate.Do(ctx, func() error {
		begin, number, failed := time.Now(), p.begin(), true
		defer func() { p.end(begin, number, failed) }()
		err := work()
		failed = err != nil
		return err
	})
}

func (p *adaptiveParts) begin() (number int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running++
	return p.algorithm.Begin(p.running)
}

func (p *adaptiveParts) end(begin time.Time, number int, failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.algorithm.End(time.Now(), time.Since(begin), number, failed)
	p.gate.SetLimit(p.algorithm.Limit())
}

// adaptive puts the parts together with a way to run work.
type adaptive struct {
	*adaptiveParts
	adapt adaptFunc
}

func (a *adaptive) Do(ctx context.Context, work func() error) error {
	return a.adapt(ctx, a.adaptiveParts, work)
}

func (a *adaptive) Limit() int       { return a.gate.Limit() }
func (a *adaptive) Stats() lab.Stats { return a.gate.Stats() }

// assembleAdaptive returns a controller that runs work with adapt, and finds its limit
// with lab.Gradient.
func assembleAdaptive(l lab.Limits, how lab.Adaptation, adapt adaptFunc) (labtest.AdaptiveController, error) {
	g, err := lab.NewGradient(l.Slots, how)
	if err != nil {
		return nil, err
	}
	return assembleAlgorithm(l, how, g, adapt)
}

func assembleAlgorithm(l lab.Limits, how lab.Adaptation, a algorithm, adapt adaptFunc) (labtest.AdaptiveController, error) {
	l.Slots = a.Limit()
	gate, err := lab.NewAdjustable(l, how.Max)
	if err != nil {
		return nil, err
	}
	return &adaptive{&adaptiveParts{gate: gate, algorithm: a}, adapt}, nil
}
