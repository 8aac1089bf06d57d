package check

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// BoundedLine checks exercise 4: a line that is never longer than its limit. It ends
// with the whole kit of package labtest.
func BoundedLine(t *testing.T, new labtest.Constructor) {
	t.Helper()
	keep(t, boundedLine(new))
}

func boundedLine(new labtest.Constructor) []rule {
	return append([]rule{{"a line of one has no room for two", func() error { return roomForOne(new) }}}, kit(new)...)
}

// roomForOne has two requests try to join a line of one, again and again. They come
// in the same instant, as nearly as two processors can do it.
func roomForOne(new labtest.Constructor) error {
	const rounds = 10_000
	var now atomic.Pointer[round]
	over := &round{}
	var second sync.WaitGroup
	defer second.Wait()
	defer now.Store(over)
	second.Go(func() {
		for last := (*round)(nil); ; last.join() {
			spinUntil(func() bool { return now.Load() != last })
			if last = now.Load(); last == over {
				return
			}
		}
	})

	both := 0
	for i := range rounds {
		r, err := newRound(new)
		if err != nil {
			return refusedLimits(err)
		}
		now.Store(r)
		for spins := 0; spins < i%100; spins++ { // it takes a moment until the other one sees r
			now.Load()
		}
		r.join()
		spinUntil(func() bool { return r.ended.Load() == 2 })
		if r.refused.Load() == 0 {
			both++
		}
	}
	if both == 0 {
		return nil
	}
	return wrong(
		fmt.Sprintf("in %d of %d rounds two that came in the same instant were both in line", both, rounds),
		"one of them in line, and line_full for the other, in every round",
		"the step that looks at the length and the one that raises it; steps/04-bounded-line/README.md, Why.")
}

// A round is a controller with one place in line, whose only slot is taken until
// one of two requests has got an answer.
type round struct {
	c              labtest.Controller
	finish         func()
	refused, ended atomic.Int64
}

func newRound(new labtest.Constructor) (*round, error) {
	c, err := new(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: time.Second})
	if err != nil {
		return nil, err
	}
	began, finish := make(chan struct{}), make(chan struct{})
	go c.Do(context.Background(), func() error {
		close(began)
		<-finish
		return nil
	})
	<-began
	return &round{c: c, finish: sync.OnceFunc(func() { close(finish) })}, nil
}

// join is one of the two requests. When both are in line they get their answers when
// the wait limit has passed.
func (r *round) join() {
	if isLineFull(r.c.Do(context.Background(), func() error { return nil })) {
		r.refused.Add(1)
	}
	r.finish()
	r.ended.Add(1)
}

// spinUntil is quicker to notice something than a goroutine that must be woken.
func spinUntil(done func() bool) {
	for i := 0; !done(); i++ {
		if i > 1000 {
			runtime.Gosched()
		}
	}
}
