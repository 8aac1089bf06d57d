package labtest

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"example.com/sheddinglab/lab"
)

const crowd = 50 // requests that come at once

func limitsNeverExceeded(c *crew) {
	if _, err := c.new(lab.Limits{Slots: 0}); err == nil {
		fail("the constructor took Slots: 0", "an error: a constructor checks its limits")
	}
	for _, slots := range []int{1, 2} {
		for places := range 3 {
			for range 4 {
				crowdThatStays(c, slots, places)
				crowdThatGoes(c, slots, places)
			}
		}
	}
}

// crowdThatStays: nobody finishes, so everybody who can get in is in, to the
// last place.
func crowdThatStays(c *crew, slots, places int) {
	c.build(lab.Limits{Slots: slots, MaxWaiting: places, MaxWait: long})
	c.rush(crowd, c.do)
	c.wantStats(fmt.Sprintf("with Slots %d, MaxWaiting %d and %d requests at once: ", slots, places, crowd), lab.Stats{
		Running: slots, Waiting: places, PeakLine: places,
		Arrived: crowd, Admitted: slots, ShedLineFull: crowd - slots - places,
	})
}

// crowdThatGoes: everybody finishes soon, so slots and places change hands, and
// what counts is the most that were ever in.
func crowdThatGoes(c *crew, slots, places int) {
	c.build(lab.Limits{Slots: slots, MaxWaiting: places, MaxWait: waitable})
	var atWork, mostAtWork, mostInLine atomic.Int64
	all := c.rush(crowd, func(r *request) error {
		r.open()
		err := c.ctrl.Do(r.ctx, func() error {
			raise(&mostAtWork, atWork.Add(1))
			raise(&mostInLine, int64(c.ctrl.Stats().Waiting))
			runtime.Gosched()
			atWork.Add(-1)
			return r.work()
		})
		raise(&mostInLine, int64(c.ctrl.Stats().Waiting))
		return err
	})
	for _, r := range all {
		if !r.ends(patience) {
			fail(r.fate(), "served or turned away")
		}
	}
	raise(&mostInLine, int64(c.ctrl.Stats().PeakLine))
	if mostAtWork.Load() > int64(slots) || mostInLine.Load() > int64(places) {
		fail(fmt.Sprintf("up to %d at work and up to %d in line", mostAtWork.Load(), mostInLine.Load()),
			fmt.Sprintf("up to %d and up to %d", slots, places))
	}
	if n := c.count(0); n.Admitted+n.ShedLineFull+n.ShedWaitedTooLong != crowd {
		fail(fmt.Sprintf("of %d that came at once %d were served and %d shed", crowd, n.Admitted, n.ShedLineFull+n.ShedWaitedTooLong),
			"either for each of them")
	}
}

func raise(highest *atomic.Int64, n int64) {
	for {
		h := highest.Load()
		if n <= h || highest.CompareAndSwap(h, n) {
			return
		}
	}
}

// racingGrant frees the only slot in the instant the only one in line gives up.
func racingGrant(c *crew) {
	const rounds = 100 // of each kind, for each of the crews side by side
	ended := func(how string, all ...*request) {
		for _, r := range all {
			if !r.ends(patience) {
				fail(how+", "+r.fate(), "served, or given up")
			}
		}
		c.wantCounts(how+", with nothing left in flight", 0, 0)
		c.goHome()
	}

	c.build(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: long})
	for i := range rounds {
		var waiter *request
		cancelWaiter := func() {
			if waiter != nil { // nil when it could not get in line
				waiter.cancel()
			}
		}
		cancelFirst := i%2 == 1
		holder := c.start("the request that holds the slot", func(r *request) error {
			// Release and cancel follow each other in one goroutine, so that
			// whoever waits has had no time to run in between.
			err := c.ctrl.Do(r.ctx, func() error {
				r.work()
				if cancelFirst {
					cancelWaiter()
				}
				return nil
			})
			cancelWaiter()
			return err
		})
		holder.wantBegun()
		waiter = c.queueFor("the request in line", c.doAtOnce)
		holder.open()
		ended("after a slot came in the instant of a cancel", holder, waiter)
	}
	c.ask("the request after the races").wantServed()

	c.build(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: tick})
	for i := range rounds {
		// In virtual time the limit and the release are the same instant; on the
		// wall clock the rounds try a few microseconds around it.
		limit := time.Now().Add(tick)
		holder := c.start("the request that holds the slot", func(r *request) error {
			return c.ctrl.Do(r.ctx, func() error {
				r.open()
				r.work()
				time.Sleep(time.Until(limit) + time.Duration(i%5)*5*time.Microsecond)
				return nil
			})
		})
		holder.wantBegun()
		ended("after a slot came in the instant of a timeout", holder, c.ask("the request in line"))
	}
	c.ask("the request after the races").wantServed()
}

func noLostWakeUp(c *crew) {
	for range 20 {
		c.build(lab.Limits{Slots: 2, MaxWaiting: 2, MaxWait: long})
		// One goroutine holds both slots, one inside the other, so that it frees
		// them back to back.
		holder := c.start("a request that holds both slots", func(r *request) error {
			return c.ctrl.Do(r.ctx, func() error { return c.do(r) })
		})
		holder.wantBegun()
		first, second := c.queue("the first in line, with two slots freed,"), c.queue("the second in line, with two slots freed,")
		holder.open()
		first.wantBegun()
		second.wantBegun()
	}

	const inLine = 100
	c.build(lab.Limits{Slots: 2, MaxWaiting: inLine, MaxWait: long})
	first, second := c.hold(), c.hold()
	line := c.rush(inLine, c.doAtOnce)
	c.wantCounts("with every place in line taken", 2, inLine)
	first.open()
	second.open()
	for _, r := range line {
		r.wantServed()
	}
}
