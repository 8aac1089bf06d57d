package labtest

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"example.com/sheddinglab/lab"
)

// PriorityController is what the kit needs of a controller with classes. It reads
// the class of a request from its context, with [lab.CriticalityOf].
type PriorityController interface {
	Controller
	Classes() map[lab.Criticality]lab.ClassStats
}

// A PriorityConstructor is a [Constructor] with shares of the line.
type PriorityConstructor func(lab.Limits, lab.Shares) (PriorityController, error)

// A PriorityBehaviour is one rule that a controller with classes must keep beyond
// those for any controller. With the whole line as the share of each class it must
// keep those too.
type PriorityBehaviour struct {
	Behaviour
	check func(c *classCrew)
}

// Check is [Behaviour.Check] for a controller with classes.
func (b PriorityBehaviour) Check(new PriorityConstructor) error {
	b.Behaviour.check = func(c *crew) { b.check(&classCrew{crew: c, new: new}) }
	return b.Behaviour.Check(nil)
}

// RunPriority is [Run] for the behaviours of a controller with classes.
func RunPriority(t *testing.T, new PriorityConstructor) {
	for _, b := range PriorityBehaviours() {
		t.Run(b.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if err := b.Check(new); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A classCrew is a crew whose requests have a class.
type classCrew struct {
	*crew
	new  PriorityConstructor
	ctrl PriorityController
}

func (c *classCrew) build(l lab.Limits, s lab.Shares) {
	c.goHome()
	ctrl, err := c.new(l, s)
	if err != nil {
		fail(fmt.Sprintf("the constructor refused %+v with shares of %v: %v", l, s, err), "a controller")
	}
	c.ctrl, c.crew.ctrl = ctrl, ctrl
}

// doAs is do in a class.
func (c *classCrew) doAs(class lab.Criticality) func(*request) error {
	return func(r *request) error { return c.ctrl.Do(lab.WithCriticality(r.ctx, class), r.work) }
}

// askAs is ask in a class.
func (c *classCrew) askAs(class lab.Criticality, name string) *request {
	return c.start(fmt.Sprintf("a request that is %v, %s,", class, name), func(r *request) error {
		r.open()
		return c.doAs(class)(r)
	})
}

// queueAs is queue in a class.
func (c *classCrew) queueAs(class lab.Criticality, name string) *request {
	return c.queueFor(fmt.Sprintf("a request that is %v, %s,", class, name), c.doAs(class))
}

// stairs are shares that differ: one place more for each more important class.
var stairs = lab.Shares{lab.Sheddable: 1, lab.SheddablePlus: 2, lab.Critical: 3, lab.CriticalPlus: 4}

// fromSheddable are the classes, the least important first.
func fromSheddable() []lab.Criticality {
	classes := lab.Criticalities()
	slices.Reverse(classes)
	return classes
}

// PriorityBehaviours returns the behaviours of a controller with classes.
func PriorityBehaviours() []PriorityBehaviour {
	return []PriorityBehaviour{{
		Behaviour: Behaviour{
			Number: 21,
			Name:   "a free slot is for every class",
			Rule: `A request that finds a free slot is served at once, also if its class has no
				place in line. A slot that is kept free for what is more important serves
				nobody while it waits.`,
			Look: `what is compared with the share: it must be the line, and not what runs.`,
		},
		check: freeSlotForEveryClass,
	}, {
		Behaviour: Behaviour{
			Number: 22,
			Name:   "the last places are kept for the more important",
			Rule: `A request joins the line only if it is shorter than the share of its class,
				whoever stands in it, and is told line_full at once if it is not. Only so is
				there always a place for what must not be turned away.`,
			Look: `what the share is compared with: the length of the whole line.`,
		},
		check: lastPlacesAreKept,
	}, {
		Behaviour: Behaviour{
			Number: 23,
			Name:   "first come, first served across classes",
			Rule: `What was let in is served in the order it came, whatever its class. Otherwise
				the less important stand in line for as long as anything else comes, and are
				shed after all: the dearest way to turn them away.`,
			Look: `what a freed slot does: the class has had its say at the door.`,
		},
		check: orderAcrossClasses,
	}, {
		Behaviour: Behaviour{
			Number: 24,
			Name:   "a place in line is not taken away",
			Rule: `A request that was let in is not put out for a more important one that finds
				the line full. Its client would have waited for nothing, and a line full of
				the less important is what the shares prevent.`,
			Look: `what happens when the line is full: the newcomer is refused.`,
		},
		check: placeIsKept,
	}, {
		Behaviour: Behaviour{
			Number: 25,
			Name:   "shares are never exceeded in a burst",
			Rule: `Of many that come at once exactly as many stand in line as the share of their
				class has room for, not for an instant more. The burst is when the places
				that are kept are needed.`,
			Look: `where the line is compared with the share and joined: that must be one step.`,
		},
		check: sharesNeverExceeded,
	}, {
		Behaviour: Behaviour{
			Number: 26,
			Name:   "each class gives back its places",
			Rule: `A request that gives up waiting leaves the line, in each of its ways out and
				in each class. A class with few places has lost the last of them long before
				anybody sees that the line is shorter than it was.`,
			Look: `the ways out of the wait, and what each of them gives back.`,
		},
		check: classesGiveBack,
	}, {
		Behaviour: Behaviour{
			Number: 27,
			Name:   "each class has its own counters, and the sums add up",
			Rule: `A request counts in its class as what its caller was told, and the classes and
				the line add up to what has arrived. Only these counters tell a shed of
				somebody's batch work from one of a customer, and show starvation.`,
			Look: `where outcomes are counted: by class, once, after the outcome is known.`,
		},
		check: classesAddUp,
	}}
}
