package labtest

import (
	"context"
	"fmt"
	"strings"

	"example.com/sheddinglab/lab"
)

// further returns the behaviours after the first eight.
func further() []Behaviour {
	return []Behaviour{{
		Number: 9,
		Name:   "first come, first served",
		Rule: `Slots go to those in line in the order they came, and a newcomer never
			overtakes them, not even in the instant a slot is freed. Otherwise the wait
			of an unlucky request has no bound but the wait limit.`,
		Look: `what a freed slot does: it goes to the first in line directly, and is not
			put down for whoever is quickest.`,
		check: firstComeFirstServed,
	}, {
		Number: 10,
		Name:   "no dead caller is admitted",
		Rule: `A request whose context is already done never gets a slot, not even a free
			one. It is told its context's own error and counts as gone. Nobody is there
			to take the answer: the work would be wasted.`,
		Look: `the very first step; a select over a free slot and ctx.Done picks one of
			the two at random.`,
		check: noDeadCaller,
	}, {
		Number: 11,
		Name:   "limits are never exceeded",
		Rule: `Never more than Slots at work, never more than MaxWaiting in line, not for an
			instant, however many come at once; the rest are shed, and the peak of the
			line is exact. The limit is what protects the memory and the database behind
			the service, and the burst is when it matters.`,
		Look:  `where a counter is compared with its limit and raised: that must be one step.`,
		check: limitsNeverExceeded,
	}, {
		Number: 12,
		Name:   "a free slot beats an expired wait limit",
		Rule: `With MaxWait 0 the wait limit has passed as soon as a request arrives. A free
			slot is given to it all the same, every time: it does not have to wait. If
			none is free it is told so at once.`,
		Look: `a select over the slot and the limit: when both are ready it picks one at
			random. Try the slot alone first.`,
		check: freeSlotBeatsLimit,
	}, {
		Number: 13,
		Name:   "every request has exactly one outcome and the sums add up",
		Rule: `Every request counts once, as what its caller was told: admitted, line_full,
			waited_too_long or gone. Those in line and these four add up to the arrivals,
			and nothing is left running or waiting at the end. Graphs and alerts are
			built on these sums.`,
		Look:  `where outcomes are counted: one place, after the outcome is known.`,
		check: sumsAddUp,
	}, {
		Number: 14,
		Name:   "a grant racing a timeout or a cancel never loses a slot",
		Rule: `A slot may come to a request in the very instant it gives up. Then it is used
			or it goes back, and the same holds for the place in line. A slot that is lost
			once in ten thousand times is a service that grinds to a halt once a week.`,
		Look:  `what happens to a slot that arrives together with the end of the wait.`,
		check: func(c *crew) { c.sideBySide(8, racingGrant) },
	}, {
		Number: 15,
		Name:   "no wake-up is lost",
		Rule: `Two slots freed in the same instant wake two of those in line, and a line of
			any length drains. A request that sleeps beside a free slot waits for nothing,
			and everybody behind it too.`,
		Look: `what a freed slot does when the one before it has woken somebody who has not
			run yet.`,
		check: noLostWakeUp,
	}}
}

func firstComeFirstServed(c *crew) {
	const inOrder = "1st 2nd 3rd 4th newcomer"
	wrong := 0
	for range 10 {
		// A request may count as in line a moment before it stands there. On a
		// busy machine the next one can overtake it in that moment, and then the
		// order is wrong once, without a fault of the controller.
		if got := orderOfService(c, strings.Fields(inOrder)); got != inOrder {
			if wrong++; wrong > 1 {
				fail("the order of service was "+got, inOrder)
			}
		}
	}
}

// orderOfService lets all but the last of the names queue up, frees the slot,
// and lets the last one ask in that instant. It returns the names in the order
// they were served.
func orderOfService(c *crew, names []string) string {
	c.build(lab.Limits{Slots: 1, MaxWaiting: 2 * len(names), MaxWait: long})
	order := make(chan string, 2*len(names))
	takeTurn := func(name string) func(*request) error {
		return func(r *request) error {
			return c.ctrl.Do(r.ctx, func() error {
				order <- name
				return nil
			})
		}
	}
	last := len(names) - 1
	holder := c.start("one that asks again when its work has ended", func(r *request) error {
		if err := c.do(r); err != nil {
			return err
		}
		return takeTurn(names[last])(r)
	})
	holder.wantBegun()
	for _, name := range names[:last] {
		c.queueFor("the "+name+" in line", takeTurn(name))
	}
	holder.open()
	for _, r := range c.requests {
		if !r.ends(patience) || r.err != nil {
			fail(r.fate(), "served in its turn")
		}
	}
	var got []string
	for range len(order) {
		got = append(got, <-order)
	}
	return strings.Join(got, " ")
}

func noDeadCaller(c *crew) {
	c.build(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: long})
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	expired, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()

	const calls = 1000
	var admitted, otherError int
	all := c.start("a thousand dead callers", func(r *request) error {
		for i := range calls {
			if r.ctx.Err() != nil {
				break // the check has given up
			}
			ctx := cancelled
			if i%2 == 1 {
				ctx = expired
			}
			ran := false
			err := c.ctrl.Do(ctx, func() error { ran = true; return nil })
			if ran {
				admitted++
			} else if err != ctx.Err() {
				otherError++
			}
		}
		return nil
	})
	if !all.ends(long + patience) {
		fail("a caller with a free slot and a context that is done got no answer", "its context's error at once")
	}
	if admitted > 0 || otherError > 0 {
		fail(fmt.Sprintf("of %d callers whose context was done, %d were served and %d got another error than their context's", calls, admitted, otherError),
			"0 served, and the context's own error for all")
	}
	if got := c.ctrl.Stats().Gone; got != calls {
		fail(fmt.Sprintf("gone is %d", got), fmt.Sprintf("gone is %d", calls))
	}
}

func freeSlotBeatsLimit(c *crew) {
	const calls = 1000
	for places := range 3 {
		c.build(lab.Limits{Slots: 1, MaxWaiting: places})
		lucky := 0
		all := c.start("a thousand callers, one after the other,", func(r *request) error {
			for range calls {
				c.ctrl.Do(r.ctx, func() error { lucky++; return nil })
			}
			return nil
		})
		if !all.ends(long + patience) {
			fail("a caller that found a free slot got no answer", "it is served at once")
		}
		if lucky != calls {
			fail(fmt.Sprintf("with MaxWait 0, MaxWaiting %d and a free slot, %d of %d were served", places, lucky, calls),
				fmt.Sprintf("%d of %d", calls, calls))
		}
	}
	c.hold() // in the last controller, which has a line
	c.ask("with MaxWait 0 and no slot free, a request").wantShed(lab.WaitedTooLong, 0)
}

func sumsAddUp(c *crew) {
	const wait = 4 * waitable
	c.build(lab.Limits{Slots: 2, MaxWaiting: 3, MaxWait: wait})
	works := c.hold()
	panics := c.start("a request whose work will panic", func(r *request) error {
		return c.ctrl.Do(r.ctx, func() error {
			r.work()
			panic("boom")
		})
	})
	panics.wantBegun()
	for range 3 {
		c.start("a caller that has already left", func(r *request) error {
			r.cancel()
			return c.do(r)
		}).wantGone()
	}
	leaves, waits, waitsToo := c.queue("the first in line"), c.queue("the second in line"), c.queue("the third in line")
	for range 4 {
		c.ask("a request that finds the line full").wantShed(lab.LineFull, 0)
	}
	leaves.cancel()
	leaves.wantGone()
	c.wantStats("with two at work and two in line: ", c.count(3))

	waits.wantShed(lab.WaitedTooLong, wait)
	waitsToo.wantShed(lab.WaitedTooLong, wait)
	next := c.queue("a request that comes later")
	works.open()
	next.wantBegun()
	works.wantServed() // its slot comes back a moment before its call does
	c.wantStats("with two at work: ", c.count(3))

	panics.open()
	next.open()
	for _, r := range c.requests {
		r.ends(patience)
	}
	c.wantStats("with nothing in flight: ", c.count(3))
}
