package check

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// Slowdown checks exercise 5: a limit to the wait in line. It ends with the whole kit
// of package labtest.
func Slowdown(t *testing.T, newController labtest.Constructor) {
	t.Helper()
	keep(t, slowdown(newController))
}

func slowdown(newController labtest.Constructor) []rule {
	rules := []rule{
		{"on a slow day nobody waits in vain", once, func() error {
			r, err := slowDay(newController)
			if err != nil {
				return err
			}
			if r.Timeout == 0 {
				return nil
			}
			return wrong(
				fmt.Sprintf("%d of %d clients had no answer within %v, and %d pieces of work were finished for clients who had gone",
					r.Timeout, r.Offered, patience, r.Wasted),
				"0 and 0",
				"how long a request stands in line; steps/05-slowdown/README.md, Why.")
		}},
		{"on a slow day the slots are kept busy", once, func() error {
			r, err := slowDay(newController)
			if err != nil {
				return err
			}
			const least = 0.95 * capacity / 4 // the work takes four times as long
			_, ok := r.Between(4*time.Second, 8*time.Second)
			if float64(ok)/4 >= least {
				return nil
			}
			return wrong(
				fmt.Sprintf("in the last four seconds goodput is %.1f/s", float64(ok)/4),
				fmt.Sprintf("at least %.1f/s, which is 95%% of what the slow service can do", least),
				"a slot or a place that is lost when a wait ends, and the wait limit itself.")
		}},
	}
	rules = append(rules, waits(newController)...)
	rules = append(rules,
		rule{"a slot that comes when the wait ends is not lost", once, func() error { return meet(newController) }})
	return append(rules, kit(newController)...)
}

// slowDay is the experiment of step 5: the load is below the capacity, but after three
// seconds the work takes four times as long.
func slowDay(newController labtest.Constructor) (lab.Summary, error) {
	c, err := newController(lab.Limits{Slots: slots, MaxWaiting: 40, MaxWait: 300 * time.Millisecond})
	if err != nil {
		return lab.Summary{}, refusedLimits(err)
	}
	start := time.Now()
	load := lab.OpenLoop{Rate: 0.8 * capacity, Duration: 8 * time.Second, Patience: patience}
	samples := send(load, func(ctx context.Context) error {
		return c.Do(ctx, func() error {
			d := serviceTime
			if time.Since(start) >= 3*time.Second {
				d *= 4
			}
			return lab.PretendWork(context.WithoutCancel(ctx), d)
		})
	})
	return lab.Summarize("controller", load, time.Second, samples), nil
}
