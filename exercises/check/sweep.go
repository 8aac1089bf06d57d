package check

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
)

// CollapsesAfter is the first prediction of exercise 9.
type CollapsesAfter func(patience, serviceTime time.Duration, multiple float64) (after time.Duration, ok bool)

// Unseen is the second one.
type Unseen func(patience, serviceTime, test time.Duration) (multiple float64)

// Sweep checks exercise 9: both predictions, against runs of services without limits.
func Sweep(t *testing.T, after CollapsesAfter, unseen Unseen) {
	t.Helper()
	keep(t, sweep(after, unseen))
}

// A service without limits, and its clients.
type unlimited struct {
	slots       int
	serviceTime time.Duration
	patience    time.Duration
}

// The slots are many, and the service times odd, so that a collapse is seen when it
// comes and not at the next arrival, and so that no two events are in one instant.
var services = []unlimited{
	{8, 50070 * time.Microsecond, time.Second},
	{16, 200130 * time.Microsecond, time.Second},
	{32, 303030 * time.Microsecond, 3 * time.Second},
	{10, 20110 * time.Microsecond, 400 * time.Millisecond},
	{20, 20110 * time.Microsecond, 2 * time.Second},
}

// hopeless is a service that answers nobody in time.
var hopeless = unlimited{8, 1500130 * time.Microsecond, time.Second}

// multiples of the capacity of s, at which its collapse is seen when it comes.
func multiples(s unlimited) []float64 {
	if s.patience < 50*s.serviceTime {
		return []float64{1.05, 1.2, 1.5, 2}
	}
	return []float64{1.05, 1.5, 5, 20} // the work is short beside the wait
}

func (s unlimited) String() string {
	return fmt.Sprintf("work of %v, a patience of %v", s.serviceTime, s.patience)
}

// run holds a load for a while.
func (s unlimited) run(multiple float64, duration time.Duration) lab.Summary {
	r, err := lab.Trial{
		Limits:      lab.Limits{Slots: s.slots, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit},
		ServiceTime: lab.Constant(s.serviceTime),
		Load: lab.OpenLoop{
			Rate:     multiple * float64(s.slots) / s.serviceTime.Seconds(),
			Duration: duration,
			Patience: s.patience,
		},
	}.Run(context.Background())
	if err != nil {
		panic(err)
	}
	return r
}

// tolerance is how far a prediction may be from what is seen.
const tolerance = 0.05

const predicted = "how fast the line grows, and for how long one can wait in it and still be answered in time; steps/09-sweep/README.md, Why."

func sweep(after CollapsesAfter, unseen Unseen) []rule {
	return []rule{
		{"the collapse comes when it is predicted", once, func() error { return collapsesWhenPredicted(after) }},
		{"at the capacity, and below, there is none", once, func() error {
			for _, multiple := range []float64{0.5, 0.99, 1} {
				_, seen := services[0].run(multiple, 20*time.Second).Collapse()
				if _, ok := after(services[0].patience, services[0].serviceTime, multiple); ok != seen {
					return wrong(fmt.Sprintf("at %gx a collapse is predicted: %v", multiple, ok), fmt.Sprint(seen),
						"whether the line grows at all.")
				}
			}
			return nil
		}},
		{"a test that is too short shows nothing", once, func() error { return unseenInShortTests(unseen) }},
	}
}

func collapsesWhenPredicted(after CollapsesAfter) error {
	for _, s := range append(services, hopeless) {
		for _, multiple := range multiples(s) {
			// Long enough, whatever the prediction: the line needs less than this.
			seen, ok := s.run(multiple, lab.Seconds(1.2*s.patience.Seconds()/(multiple-1))).Collapse()
			if !ok {
				panic(fmt.Sprintf("no collapse was seen at %gx, with %v", multiple, s)) // a fault of this check
			}
			due, ok := after(s.patience, s.serviceTime, multiple)
			if ok && math.Abs(due.Seconds()-seen.Seconds()) <= tolerance*seen.Seconds() {
				continue
			}
			says := "never"
			if ok {
				says = fmt.Sprintf("after %.2f s", due.Seconds())
			}
			return wrong(
				fmt.Sprintf("at %gx, with %v, the collapse is predicted %s; it was seen after %.2f s", multiple, s, says, seen.Seconds()),
				"within 5% of what was seen",
				predicted)
		}
	}
	return nil
}

// unseenInShortTests runs tests with a little less overload than they are said to
// miss, and with a little more.
func unseenInShortTests(unseen Unseen) error {
	for _, s := range services {
		for _, test := range []time.Duration{5 * time.Second, 20 * time.Second} {
			most := unseen(s.patience, s.serviceTime, test)
			if !(most > 1 && most < 100) {
				return wrong(fmt.Sprintf("with %v, a test of %v misses loads of up to %gx", s, test, most), "more than 1x", predicted)
			}
			less, more := 1+(most-1)*(1-tolerance), 1+(most-1)*(1+tolerance)
			_, atLess := s.run(less, test).Collapse()
			_, atMore := s.run(more, test).Collapse()
			if atLess || !atMore {
				return wrong(
					fmt.Sprintf("with %v, a test of %v is said to miss loads of up to %.3fx; it saw a collapse at %.3fx: %v, and at %.3fx: %v",
						s, test, most, less, atLess, more, atMore),
					"false and true",
					predicted)
			}
		}
	}
	return nil
}
