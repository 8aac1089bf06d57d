package labtest

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"example.com/sheddinglab/lab"
)

// RunDeadlines is [Run] for the behaviours of a controller that heeds deadlines.
func RunDeadlines(t *testing.T, new Constructor) {
	for _, b := range DeadlineBehaviours() {
		t.Run(b.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if err := b.Check(new); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// DeadlineBehaviours returns what a controller must do that heeds deadlines, besides
// all that [Behaviours] ask of any controller. They are numbered from 31 on, and are
// meant for a bubble: some of them take several seconds of its time.
func DeadlineBehaviours() []Behaviour {
	return []Behaviour{{
		Number: 31,
		Name:   "no deadline, no refusal",
		Rule: `A request without a deadline waits for its slot, within the other limits.
			Most clients do not say how long they wait, and they must not suffer for it.`,
		Look: `what ctx.Deadline returns when there is none.`,
		check: func(c *crew) {
			c.learn(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: lab.NoLimit}, unit)
			c.ask("a request without a deadline that finds a free slot").wantServed()
			holder := c.hold()
			waiter := c.queue("a request without a deadline")
			time.Sleep(10 * unit)
			holder.open()
			waiter.open()
			waiter.want(served, 10*unit)
		},
	}, {
		Number: 32,
		Name:   "what would be late is refused at once",
		Rule: `A request with less time than the wait and the work will take is told
			would_be_late when it comes: then there is time to ask somebody else.`,
		Look: `the step before the line.`,
		check: func(c *crew) {
			c.learn(lab.Limits{Slots: 1, MaxWaiting: 50, MaxWait: lab.NoLimit}, unit)
			c.hold()
			for range 40 {
				c.queue("a request without a deadline")
			}
			c.askWithin("a request with time for 30 works that finds 40 in line", 30*unit).wantShed(lab.WouldBeLate, 0)
		},
	}, {
		Number: 33,
		Name:   "what can be answered in time waits for its slot",
		Rule: `A request with more time than the wait and the work will take is let in. A
			line moves as fast as all slots together; who forgets that turns away
			clients that could have been served.`,
		Look: `the expected wait: waiting x time of the work / slots at work.`,
		check: func(c *crew) {
			c.learn(lab.Limits{Slots: 4, MaxWaiting: 9, MaxWait: lab.NoLimit}, unit)
			for range 4 {
				c.hold()
			}
			for range 8 {
				c.queue("a request without a deadline")
			}
			c.queueFor("a request with time for 5 works that finds 8 in line, for 4 slots", c.within(5*unit))
		},
	}, {
		Number: 34,
		Name:   "no work begins that would end too late",
		Rule: `A slot may come when there is no time left for the work, because the work
			has become slower in the meantime. Then it goes to the next in line. Work
			for nobody is what the whole thing is meant to prevent.`,
		Look: `the step after the line: deadline and time of the work, both as they are then.`,
		check: func(c *crew) {
			c.learn(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: lab.NoLimit}, unit)
			holder := c.hold()
			waiter := c.queueFor("a request with time for 11 works that waits for one which takes as long as 8", c.within(11*unit))
			time.Sleep(8 * unit)
			holder.open()
			waiter.wantShed(lab.WouldBeLate, 7*unit)
			c.ask("the next request").wantServed()
		},
	}, {
		Number: 35,
		Name:   "one slow work is enough to be careful",
		Rule: `As soon as one work has taken four times as long as all before, a request
			with half of that time is turned away. An average takes many slow works to
			say so, and meanwhile each of them is for nobody.`,
		Look:  `the estimate of the longest work: it has to know how much the times differ.`,
		check: oneSlowWorkIsEnough,
	}, {
		Number: 36,
		Name:   "whoever waits in vain is told while there is time",
		Rule: `A request in line is told would_be_late as soon as what is left is too short
			for the work, and not when its client has gone.`,
		Look: `how long a request stays in line: until its deadline less the work.`,
		check: func(c *crew) {
			c.learn(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: lab.NoLimit}, 4*unit)
			c.hold()
			waiter := c.queueFor("a request with time for 3 works that waits for one without an end", c.within(12*unit))
			if !waiter.ends(long) || waiter.outcome() != outcome(lab.WouldBeLate) || waiter.took > 9*unit {
				fail(waiter.fate(), fmt.Sprintf("turned away with would_be_late after at most %v", 9*unit))
			}
		},
	}, {
		Number: 37,
		Name:   "what was slow once is tried again",
		Rule: `When nothing is at work, and nothing has been for two seconds, a request is
			let in, however long the work took before. A service that turns everybody
			away because of what it knows learns nothing new, and never recovers.`,
		Look: `what is done with an estimate that is old.`,
		check: func(c *crew) {
			c.learn(lab.Limits{Slots: 1}, 10*unit)
			c.askWithin("a request with half the time, right after", 5*unit).wantShed(lab.WouldBeLate, 0)
			time.Sleep(2 * time.Second)
			c.askWithin("a request with half the time, two seconds later", 5*unit).wantServed()
		},
	}, {
		Number: 38,
		Name:   "a quiet time is no slow service",
		Rule: `After a time with few requests, a burst is let in as at any other time. What
			is finished per second in a quiet time is what comes, not what can be done.`,
		Look: `where the rate comes from at which the line moves.`,
		check: func(c *crew) {
			c.build(lab.Limits{Slots: 1, MaxWaiting: 9, MaxWait: lab.NoLimit})
			for range 12 {
				c.workFor(unit)
				time.Sleep(20 * unit)
			}
			c.hold()
			c.queue("a request without a deadline")
			c.queue("another one")
			c.queueFor("a request with time for 8 works that finds 2 in line, after a quiet time", c.within(8*unit))
		},
	}, {
		Number: 39,
		Name:   "waiting is not working",
		Rule: `The time of the work is taken from the slot on. With the wait in it, the wait
			is counted twice, and the longer the line was the more are turned away.`,
		Look: `when the clock is started.`,
		check: func(c *crew) {
			c.build(lab.Limits{Slots: 1, MaxWaiting: 12, MaxWait: lab.NoLimit})
			for _, r := range c.rush(12, c.doFor(unit)) {
				r.ends(long)
			}
			c.hold()
			c.queueFor("a request with time for 5 works that is the first in line", c.within(5*unit))
		},
	}, {
		Number: 40,
		Name:   "a refusal teaches nothing",
		Rule: `A request that was turned away has not been worked on, and says nothing about
			how long that takes. Otherwise every refusal makes the service believe that it
			is fast.`,
		Look: `what is taken as a sample: work alone.`,
		check: func(c *crew) {
			c.learn(lab.Limits{Slots: 1}, 4*unit)
			for i := range 60 {
				c.askWithin(fmt.Sprintf("number %d of 60 with time for half a work", i+1), 2*unit).wantShed(lab.WouldBeLate, 0)
			}
		},
	}, {
		Number: 41,
		Name:   "a refusal is counted as one",
		Rule: `Admitted counts what was worked on, and gone counts the clients that left.
			A request that is turned away in line or at the slot is neither of them.`,
		Look:  `what the controller inside has counted already.`,
		check: refusalsAreCounted,
	}, {
		Number: 42,
		Name:   "Retry-After follows the line",
		Rule: `A refusal asks its client to stay away for as long as the line takes to be
			served, and not for more than half a minute. Clients that were turned away
			together are asked to come back at different times.`,
		Look:  `the RetryAfter of the Overloaded.`,
		check: retryAfterFollowsTheLine,
	}}
}
