package check

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// Waits checks what the kit of package labtest, which must do on the wall clock too,
// cannot: that waits in line end on the dot, and that those without a limit do not.
func Waits(t *testing.T, newController labtest.Constructor) {
	t.Helper()
	keep(t, waits(newController))
}

func waits(newController labtest.Constructor) []rule {
	return []rule{
		{"whoever has waited for MaxWait is told so, not before and not later", once, func() error { return onTheDot(newController) }},
		{"without a limit one waits for as long as it takes", once, func() error { return noLimit(newController) }},
	}
}

// onTheDot has the only slot taken for a day, and one request in line.
func onTheDot(newController labtest.Constructor) error {
	for _, limit := range []time.Duration{time.Millisecond, 300 * time.Millisecond, 5 * time.Second, time.Hour} {
		c, err := newController(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: limit})
		if err != nil {
			return refusedLimits(err)
		}
		var holder sync.WaitGroup
		holder.Go(func() { c.Do(context.Background(), func() error { time.Sleep(24 * time.Hour); return nil }) })
		synctest.Wait()
		start := time.Now()
		err = c.Do(context.Background(), func() error { return nil })
		took := time.Since(start)
		holder.Wait()
		if shed, ok := errors.AsType[*lab.Overloaded](err); !ok || shed.Reason != lab.WaitedTooLong || took != limit {
			return wrong(
				fmt.Sprintf("with a MaxWait of %v the only one in line was told %v after %v", limit, err, took),
				fmt.Sprintf("overloaded: waited_too_long after %v", limit),
				"what the timer is set to.")
		}
	}
	return nil
}

// noLimit has the only slot taken for a month, and a long line.
func noLimit(newController labtest.Constructor) error {
	c, err := newController(lab.Limits{Slots: 1, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit})
	if err != nil {
		return refusedLimits(err)
	}
	const month, length = 30 * 24 * time.Hour, 1000
	var all sync.WaitGroup
	all.Go(func() { c.Do(context.Background(), func() error { time.Sleep(month); return nil }) })
	synctest.Wait()
	start := time.Now()
	told := make(chan error, length)
	for range length {
		all.Go(func() {
			err := c.Do(context.Background(), func() error { return nil })
			if took := time.Since(start); err != nil {
				told <- fmt.Errorf("%w after %v", err, took)
			}
		})
	}
	all.Wait()
	if len(told) == 0 {
		return nil
	}
	return wrong(
		fmt.Sprintf("with MaxWaiting and MaxWait lab.NoLimit, and a slot that is taken for a month, %d of %d were not served; the first was told %v",
			len(told), length, <-told),
		"all of them are served when the month is over",
		"what becomes of lab.NoLimit, which is -1, before it is compared with anything.")
}

// meet has a wait in line end together with the work of the request that has the slot,
// before the waiter can tell which of them was first.
func meet(newController labtest.Constructor) error {
	const limit, rounds = time.Second, 50
	for range rounds {
		for _, leaves := range []bool{true, false} {
			c, err := newController(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: limit})
			if err != nil {
				return refusedLimits(err)
			}
			finish := make(chan struct{})
			go c.Do(context.Background(), func() error { <-finish; return nil })
			synctest.Wait()

			ctx, leave := context.WithCancel(context.Background())
			how := "in the instant in which the wait limit passed"
			ends := func() { time.Sleep(limit) }
			if leaves {
				how = "when its client had left"
				ends = leave
			}
			both := sync.OnceFunc(func() {
				ends()
				close(finish)
				time.Sleep(time.Nanosecond) // in a bubble this is until the slot is free
			})
			ran := false
			err = c.Do(busy{ctx, both}, func() error { ran = true; return nil })
			both() // for a controller that does not look at its context
			synctest.Wait()
			leave()
			s := c.Stats()
			if s.Running == 0 && s.Waiting == 0 && !(leaves && ran) {
				continue
			}
			return wrong(
				fmt.Sprintf("a slot came to the only one in line %s: worked on is %v, its error is %v; in the end running is %d and waiting is %d",
					how, ran, err, s.Running, s.Waiting),
				"running is 0 and waiting is 0, and nothing is done for a client that had left",
				"what becomes of a slot that is got when the wait has ended too; a select that finds both takes either.")
		}
	}
	return nil
}

// busy is a context whose Done takes its time. Whoever stands in line asks for Done
// before it looks at what has come, and by then all of it has.
type busy struct {
	context.Context
	work func()
}

func (b busy) Done() <-chan struct{} {
	b.work()
	return b.Context.Done()
}
