package labtest

import (
	"testing"
	"testing/synctest"

	"example.com/sheddinglab/lab"
)

// AdaptiveController is what the kit needs of a controller whose number of slots finds
// itself.
type AdaptiveController interface {
	Controller
	Limit() int
}

// An AdaptiveConstructor is a [Constructor] with what the number of slots is to be
// found by. An algorithm of its own may leave out all but Min and Max.
type AdaptiveConstructor func(lab.Limits, lab.Adaptation) (AdaptiveController, error)

// An AdaptiveBehaviour is one rule that a controller must keep beyond those for any
// controller, if its number of slots finds itself.
type AdaptiveBehaviour struct {
	Behaviour
	check func(c *adaptiveCrew)
}

// Check is [Behaviour.Check] for a controller whose number of slots finds itself. It
// takes ten minutes and more: call it in a bubble of [testing/synctest], where they
// take no time.
func (b AdaptiveBehaviour) Check(new AdaptiveConstructor) error {
	b.Behaviour.check = func(c *crew) { b.check(&adaptiveCrew{new: new}) }
	return b.Behaviour.Check(nil)
}

// RunAdaptive is [Run] for the behaviours of a controller whose number of slots finds
// itself.
func RunAdaptive(t *testing.T, new AdaptiveConstructor) {
	for _, b := range AdaptiveBehaviours() {
		t.Run(b.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if err := b.Check(new); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// AdaptiveBehaviours returns the behaviours of a controller whose number of slots finds
// itself.
func AdaptiveBehaviours() []AdaptiveBehaviour {
	return []AdaptiveBehaviour{{
		Behaviour: Behaviour{
			Number: 55,
			Name:   "the limit stays near the best under steady overload",
			Rule: `At twice what can be finished, for ten minutes, the limit neither drifts up
				nor collapses: nearly as much is served as with the best fixed limit, from
				wherever it began. A long overload is what it is for.`,
			Look: `what work is compared with: if that is an average, it drifts along with what
				it should judge. And what is measured: the work, without the wait.`,
		},
		check: staysNearTheBest,
	}, {
		Behaviour: Behaviour{
			Number: 56,
			Name:   "the limit does not swing",
			Rule: `Under a steady load the limit stays about where it is. One that swings is too
				high in one moment and too low in the next, and right only on average.`,
			Look: `the time from one change to the next: work that began under an older limit
				must not decide about this one.`,
		},
		check: doesNotSwing,
	}, {
		Behaviour: Behaviour{
			Number: 57,
			Name:   "a lasting slowdown becomes the new normal",
			Rule: `When all work takes four times as long, for good, the limit is soon where it
				was: there are not too many at work, the service is slower. A limit that
				holds out for the old times shrinks to its minimum, and makes a slow service
				slower still.`,
			Look: `when the time that work takes alone is measured again.`,
		},
		check: slowdownBecomesNormal,
	}, {
		Behaviour: Behaviour{
			Number: 58,
			Name:   "quick failures are no fast work",
			Rule: `Work that fails at once, as when whatever is behind this service refuses it,
				does not raise the limit. Otherwise the limit opens just when what is behind
				cannot bear it.`,
			Look: `what counts as a sample: a failure that was quicker than good work is none.`,
		},
		check: quickFailuresAreNoSamples,
	}, {
		Behaviour: Behaviour{
			Number: 59,
			Name:   "timeouts lower the limit, and it comes back",
			Rule: `When every request runs into its deadline, the limit goes down, and not below
				1; and when that is over it comes back. One that learns from successes alone
				learns nothing then, and stays where it is.`,
			Look: `what counts as a sample: a failure that took as long as good work is one.`,
		},
		check: timeoutsLowerTheLimit,
	}, {
		Behaviour: Behaviour{
			Number: 60,
			Name:   "a limit that nobody reaches does not grow",
			Rule: `While few requests come, the limit stays where it is, however fast their work
				is: nothing has been learned about more. Otherwise it is at its maximum when
				the rush comes, and that is no limit.`,
			Look: `whether as many were at work as the limit allows, before it is changed.`,
		},
		check: unusedLimitDoesNotGrow,
	}}
}
