package broken

import (
	"context"
	"errors"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// deadlineParts are what the controllers here are built from that heed deadlines. As
// with parts, there is no mistake in this file: with the steps that newDeadlineParts
// gives them they are correct. A broken one has another function for one step.
type deadlineParts struct {
	*lab.Controller

	mu              sync.Mutex
	mean, deviation time.Duration // of the work
	last            time.Time     // when the last work ended

	late, fromLine, fromSlot int

	// The steps, in the order in which a request goes through them.
	deadline  func(ctx context.Context) (deadline time.Time, ok bool)
	untested  func() bool                                         // has nobody worked for long?
	wait      func() time.Duration                                // of a newcomer
	longest   func() time.Duration                                // of the work
	lateAtAll func(left time.Duration) bool                       // at the door
	leaveLine func(deadline time.Time) time.Time                  // when a wait is in vain
	lateNow   func(left time.Duration) bool                       // at the slot
	sample    func(arrived, began time.Time) (took time.Duration) // when the work has ended
	random    func() float64
	retry     func() time.Duration
	refused   func(counter *int) // counter is fromLine, fromSlot or nil
}

func newDeadlineParts(l lab.Limits) (*deadlineParts, error) {
	c, err := lab.NewController(l)
	p := &deadlineParts{Controller: c}
	p.deadline = func(ctx context.Context) (time.Time, bool) { return ctx.Deadline() }
	p.untested = func() bool { return p.Controller.Stats().Running == 0 && time.Since(p.last) > time.Second }
	p.wait = func() time.Duration {
		s := p.Controller.Stats()
		return p.mean * time.Duration(s.Waiting) / time.Duration(max(1, s.Running))
	}
	p.longest = func() time.Duration { return p.mean + max(4*p.deviation, p.mean/10) }
	p.lateAtAll = func(left time.Duration) bool { return left < p.wait()+p.longest() }
	p.leaveLine = func(deadline time.Time) time.Time { return deadline.Add(-p.longest()) }
	p.lateNow = func(left time.Duration) bool { return left < p.longest() }
	p.sample = func(_, began time.Time) time.Duration { return time.Since(began) }
	p.random = lab.Seeded(1, 0) // who is caught must be no matter of chance
	p.retry = func() time.Duration {
		return min(time.Duration((1+p.random())*float64(p.wait())), 30*time.Second)
	}
	p.refused = func(counter *int) {
		p.late++
		if counter != nil {
			*counter++
		}
	}
	return p, err
}

func (p *deadlineParts) Do(ctx context.Context, work func() error) error {
	arrived := time.Now()
	deadline, ok := p.deadline(ctx)
	if !ok || ctx.Err() != nil || p.locked(p.untested) {
		return p.Controller.Do(ctx, func() error { return p.timed(arrived, work) })
	}
	if p.locked(func() bool { return p.lateAtAll(time.Until(deadline)) }) {
		return p.refuse(nil)
	}
	p.mu.Lock()
	leave := p.leaveLine(deadline)
	p.mu.Unlock()
	inLine, cancel := context.WithDeadline(ctx, leave)
	defer cancel()
	var began, tooLate bool
	err := p.Controller.Do(inLine, func() error {
		tooLate = p.locked(func() bool { return p.lateNow(time.Until(deadline)) })
		if tooLate {
			return nil
		}
		began = true
		return p.timed(arrived, work)
	})
	switch {
	case tooLate:
		return p.refuse(&p.fromSlot)
	case !began && errors.Is(err, context.DeadlineExceeded):
		return p.refuse(&p.fromLine)
	}
	return err
}

// timed runs work and learns from it.
func (p *deadlineParts) timed(arrived time.Time, work func() error) error {
	began := time.Now()
	err := work()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.learn(p.sample(arrived, began))
	return err
}

// learn wants mu to be held.
func (p *deadlineParts) learn(took time.Duration) {
	if p.last.IsZero() {
		p.mean, p.deviation = took, took/2
	} else {
		p.deviation += ((took - p.mean).Abs() - p.deviation) / 4
		p.mean += (took - p.mean) / 8
	}
	p.last = time.Now()
}

func (p *deadlineParts) locked(f func() bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f()
}

func (p *deadlineParts) refuse(counter *int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused(counter)
	return &lab.Overloaded{Reason: lab.WouldBeLate, RetryAfter: p.retry()}
}

func (p *deadlineParts) Stats() lab.Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.Controller.Stats()
	s.Gone -= p.fromLine
	s.Admitted -= p.fromSlot
	s.Arrived += p.late - p.fromLine - p.fromSlot
	return s
}

// assembleDeadlines returns a controller that heeds deadlines, in which one step has
// been changed.
func assembleDeadlines(l lab.Limits, change func(*deadlineParts)) (labtest.Controller, error) {
	p, err := newDeadlineParts(l)
	if err != nil {
		return nil, err
	}
	change(p)
	return p, nil
}
