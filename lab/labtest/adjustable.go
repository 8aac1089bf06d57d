package labtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"example.com/sheddinglab/lab"
)

// AdjustableController is what the kit needs of a controller whose number of slots
// may be changed.
type AdjustableController interface {
	Controller
	SetLimit(n int)
	Limit() int
}

// An AdjustableConstructor is a [Constructor] with the most slots that there may be.
type AdjustableConstructor func(l lab.Limits, most int) (AdjustableController, error)

// An AdjustableBehaviour is one rule that a controller must keep beyond those for any
// controller, if its number of slots may be changed.
type AdjustableBehaviour struct {
	Behaviour
	check func(c *adjustableCrew)
}

// Check is [Behaviour.Check] for a controller whose number of slots may be changed.
func (b AdjustableBehaviour) Check(new AdjustableConstructor) error {
	b.Behaviour.check = func(c *crew) { b.check(&adjustableCrew{crew: c, new: new}) }
	return b.Behaviour.Check(nil)
}

// RunAdjustable is [Run] for the behaviours of a controller whose number of slots may
// be changed.
func RunAdjustable(t *testing.T, new AdjustableConstructor) {
	for _, b := range AdjustableBehaviours() {
		t.Run(b.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if err := b.Check(new); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// AdjustableBehaviours returns the behaviours of a controller whose number of slots
// may be changed.
func AdjustableBehaviours() []AdjustableBehaviour {
	return []AdjustableBehaviour{{
		Behaviour: Behaviour{
			Number: 51,
			Name:   "a raised limit lets in those who wait at once",
			Rule: `When the limit is raised, as many of those in line begin at once, in their
				order and before any newcomer, and not when the next slot is given back.
				With long work that could be much later, and new slots would stand idle
				beside a full line.`,
			Look: `what raising does beyond writing down a number: it has to wake somebody.`,
		},
		check: raisedLimitWakes,
	}, {
		Behaviour: Behaviour{
			Number: 52,
			Name:   "a lowered limit cuts nobody off and lets nobody in",
			Rule: `When the limit is lowered below what is being worked on, that work goes on,
				whoever lowers it does not wait for it, and nobody begins until there is
				room again. Otherwise the limit has no effect just when it is needed, under
				load.`,
			Look: `what happens to a slot that is given back while too many are busy: it goes
				to nobody.`,
		},
		check: loweredLimitWaits,
	}, {
		Behaviour: Behaviour{
			Number: 53,
			Name:   "no change of the limit loses or makes a slot",
			Rule: `However often the limit is changed, and whatever is being worked on
				meanwhile, in the end exactly as many run as it says. A slot that is lost by
				a change in a thousand is a service that grinds to a halt by itself, and one
				that is made is a limit that does not hold.`,
			Look: `raising a limit whose lowering has not taken full effect yet.`,
		},
		check: changesKeepSlots,
	}, {
		Behaviour: Behaviour{
			Number: 54,
			Name:   "the limit stays between 1 and the most there may be",
			Rule: `A limit of 0 serves nobody, learns nothing, and so never rises again. One
				beyond the most there may be is what the most was there to prevent.`,
			Look: `the first step of setting the limit.`,
		},
		check: limitStaysInBounds,
	}}
}

// An adjustableCrew is a crew whose controller may be changed.
type adjustableCrew struct {
	*crew
	new  AdjustableConstructor
	ctrl AdjustableController
}

func (c *adjustableCrew) build(l lab.Limits, most int) {
	c.goHome()
	ctrl, err := c.new(l, most)
	if err != nil {
		fail(fmt.Sprintf("the constructor refused %+v with at most %d slots: %v", l, most, err), "a controller")
	}
	c.ctrl, c.crew.ctrl = ctrl, ctrl
}

// setLimit ends the check if SetLimit does not return at once.
func (c *adjustableCrew) setLimit(n int) {
	done := make(chan struct{})
	go func() { c.ctrl.SetLimit(n); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		fail(fmt.Sprintf("SetLimit(%d) had not returned %v later", n, patience), "it returns at once")
	}
}

func raisedLimitWakes(c *adjustableCrew) {
	c.build(lab.Limits{Slots: 1, MaxWaiting: 4, MaxWait: long}, 8)
	c.hold()
	first, second, third := c.queue("the first in line"), c.queue("the second in line"), c.queue("the third in line")
	c.setLimit(3)
	newcomer := c.start("a newcomer after the limit was raised from 1 to 3", c.do)
	first.wantBegun()
	second.wantBegun()
	c.wantCounts("after the limit was raised from 1 to 3 with three in line and one newcomer", 3, 2)
	c.setLimit(8)
	third.wantBegun()
	newcomer.wantBegun()
	c.wantCounts("after the limit was raised to 8", 5, 0)
	for range 3 {
		c.hold()
	}
	c.queue("one that comes when all 8 slots are busy")
}

func loweredLimitWaits(c *adjustableCrew) {
	c.build(lab.Limits{Slots: 3, MaxWaiting: 4, MaxWait: long}, 8)
	atWork := []*request{c.hold(), c.hold(), c.hold()}
	first, second := c.queue("the first in line"), c.queue("the second in line")
	c.setLimit(1)
	c.wantCounts("after the limit was lowered from 3 to 1", 3, 2)
	for i, r := range atWork[:2] {
		r.open()
		r.wantServed()
		c.wantCounts(fmt.Sprintf("after %d of 3 have ended under a limit of 1", i+1), 2-i, 2)
	}
	atWork[2].open()
	first.wantBegun()
	c.wantCounts("after all 3 have ended", 1, 1)
	first.open()
	second.wantBegun()

	// With free slots it has an effect at once.
	c.build(lab.Limits{Slots: 3, MaxWaiting: 4, MaxWait: long}, 8)
	c.hold()
	c.setLimit(1)
	c.queue("one that comes when the limit is 1 and one is at work")
}

func changesKeepSlots(c *adjustableCrew) {
	const most = 6
	c.build(lab.Limits{Slots: most / 2, MaxWaiting: 2 * most, MaxWait: long}, most)
	for range most / 2 {
		c.hold()
	}
	c.queue("one in line")
	c.setLimit(1)
	c.setLimit(2)
	time.Sleep(waitable)
	c.wantCounts(fmt.Sprintf("with %d at work and the limit lowered to 1 and raised to 2", most/2), most/2, 1)

	random := rand.New(rand.NewPCG(1, 2))
	for round := range 20 {
		c.build(lab.Limits{Slots: most / 2, MaxWaiting: 2 * most, MaxWait: waitable}, most)
		for range 50 {
			switch random.IntN(3) {
			case 0:
				c.setLimit(1 + random.IntN(most))
			case 1:
				c.start("a request", c.do)
			case 2:
				if len(c.requests) > 0 {
					c.requests[random.IntN(len(c.requests))].open()
				}
			}
			if random.IntN(8) == 0 {
				time.Sleep(2 * waitable / 3) // some give up
			}
		}
		for _, r := range c.requests {
			r.open()
			if !r.ends(2 * patience) {
				fail(r.fate(), "served or turned away")
			}
		}
		want := 1 + round%most
		c.setLimit(want)
		c.requests = nil
		for range want {
			c.hold()
		}
		c.queue(fmt.Sprintf("one that comes when %d are at work and the limit is %d", want, want))
		c.wantCounts(fmt.Sprintf("with the limit at %d, after many changes", want), want, 1)
	}
}

func limitStaysInBounds(c *adjustableCrew) {
	c.build(lab.Limits{Slots: 2, MaxWaiting: 4, MaxWait: long}, 3)
	for _, tt := range []struct{ set, want int }{{0, 1}, {-5, 1}, {4, 3}, {math.MaxInt, 3}} {
		c.setLimit(tt.set)
		if got := c.ctrl.Limit(); got != tt.want {
			fail(fmt.Sprintf("after SetLimit(%d) the limit is %d", tt.set, got), fmt.Sprintf("%d, with at least 1 and at most 3 slots", tt.want))
		}
		c.goHome()
		for range tt.want {
			c.hold()
		}
		c.queue(fmt.Sprintf("one that comes when %d are at work, after SetLimit(%d),", tt.want, tt.set))
	}
}
