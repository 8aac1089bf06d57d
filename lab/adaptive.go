package lab

import (
	"context"
	"sync"
	"time"
)

// An Adaptive is a [Controller] whose number of slots finds itself: see [Gradient].
// What it measures is the time that work takes, and nothing else: no wait in line,
// and no refusal.
//
// Behind [Protect] work fails only by a panic: whatever a handler answers, it has
// answered. Where a quick failure is likely, call Do in the handler, around what may
// fail.
//
// Make one with [NewAdaptive]; the zero value is not usable. All methods are safe
// for concurrent use.
type Adaptive struct {
	gate *Adjustable

	mu       sync.Mutex // held also while gate follows, so that it does so in order
	gradient *Gradient
	running  int
}

// AdaptiveStats are what an [Adaptive] has found out.
type AdaptiveStats struct {
	Limit   int    `json:"limit"`
	Probing bool   `json:"probing"`  // the limit is Min for a moment, to measure the time alone
	AloneMS Millis `json:"alone_ms"` // the time that work takes alone; 0 until it is known
}

// NewAdaptive returns a controller that measures the time alone and then begins with
// l.Slots slots, or the nearest that how allows. The other limits stay as they are. Its
// errors name the limit at fault.
func NewAdaptive(l Limits, how Adaptation) (*Adaptive, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	gradient, err := NewGradient(l.Slots, how)
	if err != nil {
		return nil, err
	}
	l.Slots = gradient.Limit()
	gate, err := NewAdjustable(l, how.Max)
	if err != nil {
		return nil, err
	}
	return &Adaptive{gate: gate, gradient: gradient}, nil
}

// Do is [Controller.Do]. Work that returns an error, panics or calls
// [runtime.Goexit] has failed.
func (a *Adaptive) Do(ctx context.Context, work func() error) error {
	if err := a.gate.Acquire(ctx); err != nil {
		return err
	}
	begin, number, failed := time.Now(), a.begin(), true
	defer func() {
		a.end(begin, number, failed)
		a.gate.Release()
	}()
	err := work()
	failed = err != nil
	return err
}

func (a *Adaptive) begin() (number int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running++
	return a.gradient.Begin(a.running)
}

func (a *Adaptive) end(begin time.Time, number int, failed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	a.running--
	before := a.gradient.Limit()
	a.gradient.End(now, now.Sub(begin), number, failed)
	if limit := a.gradient.Limit(); limit != before {
		a.gate.SetLimit(limit)
	}
}

// Limit is the number of slots as it is now.
func (a *Adaptive) Limit() int { return a.gate.Limit() }

// Stats returns the counters as they are now.
func (a *Adaptive) Stats() Stats { return a.gate.Stats() }

// AdaptiveStats returns what has been found out so far.
func (a *Adaptive) AdaptiveStats() AdaptiveStats {
	a.mu.Lock()
	defer a.mu.Unlock()
	return AdaptiveStats{a.gate.Limit(), a.gradient.Probing(), ToMillis(a.gradient.Alone())}
}

// adaptiveStatsOf returns what gate has found out, or nil if it is no [Adaptive].
func adaptiveStatsOf(gate Gatekeeper) *AdaptiveStats {
	if a, ok := gate.(*Adaptive); ok {
		s := a.AdaptiveStats()
		return &s
	}
	return nil
}
