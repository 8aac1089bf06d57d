package labtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"example.com/sheddinglab/lab"
)

// unit is the time of one work in the checks with deadlines.
const unit = 20 * time.Millisecond

// within is do with a deadline after d, which may be over already.
func (c *crew) within(d time.Duration) func(*request) error {
	return func(r *request) error {
		ctx, cancel := context.WithTimeout(r.ctx, d)
		defer cancel()
		return c.ctrl.Do(ctx, r.work)
	}
}

// askWithin starts a request with a deadline after d, whose work takes no time.
func (c *crew) askWithin(name string, d time.Duration) *request {
	return c.start(name, func(r *request) error {
		r.open()
		return c.within(d)(r)
	})
}

// doFor is do with work that takes d.
func (c *crew) doFor(d time.Duration) func(*request) error {
	return func(r *request) error {
		r.open()
		return c.ctrl.Do(r.ctx, func() error {
			time.Sleep(d)
			return r.work()
		})
	}
}

// workFor serves one request without a deadline, whose work takes d.
func (c *crew) workFor(d time.Duration) {
	r := c.start("a request without a deadline", c.doFor(d))
	r.ends(d + patience)
}

// learn builds a controller that has found out that work takes d.
func (c *crew) learn(l lab.Limits, d time.Duration) {
	c.build(l)
	for range 20 {
		c.workFor(d)
	}
}

func oneSlowWorkIsEnough(c *crew) {
	c.learn(lab.Limits{Slots: 1}, 2*unit)
	c.workFor(8 * unit)
	c.askWithin("a request with time for 2 works, after one that took as long as 4", 4*unit).wantShed(lab.WouldBeLate, 0)
}

func refusalsAreCounted(c *crew) {
	c.learn(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: lab.NoLimit}, 4*unit)
	want := c.ctrl.Stats()
	c.askWithin("one that is turned away when it comes", unit).wantShed(lab.WouldBeLate, 0)
	holder := c.hold()
	inLine := c.queueFor("one that is turned away in line", c.within(10*unit))
	inLine.ends(long)
	atSlot := c.queueFor("one that is turned away at the slot", c.within(12*unit))
	time.Sleep(6 * unit)
	holder.open()
	atSlot.ends(long)
	want.PeakLine = 1
	want.Arrived += 4
	want.Admitted++
	c.wantStats("after one was served and three were turned away: ", want)
}

func retryAfterFollowsTheLine(c *crew) {
	c.learn(lab.Limits{Slots: 1, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit}, time.Second)
	c.hold()
	// A tenth of leeway on either side, for an estimate may be a little off. Without
	// it, a controller whose random numbers seldom come near the bound would fail
	// once in a hundred runs.
	for _, line := range []struct {
		length      int
		least, most time.Duration
	}{{3, 2700 * time.Millisecond, 6600 * time.Millisecond}, {40, 30 * time.Second, 30 * time.Second}} {
		for c.ctrl.Stats().Waiting < line.length {
			c.queue("a request without a deadline")
		}
		different := make(map[time.Duration]bool)
		for range 20 {
			r := c.askWithin("a request that would be late", unit)
			r.wantShed(lab.WouldBeLate, 0)
			shed, _ := errors.AsType[*lab.Overloaded](r.err)
			for _, bound := range []struct {
				broken bool
				text   string
			}{{shed.RetryAfter < line.least, "less"}, {shed.RetryAfter > line.most, "more"}} {
				if bound.broken {
					fail(fmt.Sprintf("with %d in line and works of 1 s, a RetryAfter is %s than that", line.length, bound.text),
						fmt.Sprintf("%v to %v", line.least, line.most))
				}
			}
			different[shed.RetryAfter] = true
		}
		if line.least < line.most && len(different) < 2 {
			fail(fmt.Sprintf("20 that were turned away together were all told %v", slices.Collect(maps.Keys(different))), "different times")
		}
	}
}
