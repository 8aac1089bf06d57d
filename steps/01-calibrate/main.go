// Step 1: how many requests per second can this service finish?
//
// Everything in the later steps is a multiple of this number, so it is measured
// and not assumed. First the pretend work is timed alone. Then three workers for
// each slot keep the service completely busy for a while, and what it finishes is
// counted in two ways: the naive one, which also counts the stragglers that
// finish after the bell, and the honest one, which does not.
//
// What it leaves out: clients with a will of their own. These workers wait for
// each answer before they ask again, a closed loop, which is the right tool to
// find a capacity and the wrong one to see an overload. See step 3.
//
//	make step-1
//	go run ./steps/01-calibrate -slots 8
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return calibrate(ctx, args, stdout, stderr, lab.PretendWork)
}

// work does one request's worth of work, which should take d.
type work func(ctx context.Context, d time.Duration) error

func calibrate(ctx context.Context, args []string, stdout, stderr io.Writer, do work) error {
	step := lab.NewStep(1, "calibrate", "how many requests per second can this service finish?")
	slots := step.Int("slots", lab.DefaultSlots, "requests worked on at the same time")
	serviceTime := step.Millis("service-time", lab.DefaultServiceTime, "how long the pretend work takes")
	window := step.Seconds("duration", 3*time.Second, "how long the slots are kept busy")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}

	took := timeWork(ctx, do, 20, *serviceTime)
	if len(took) == 0 {
		return step.End(ctx, "")
	}
	slices.Sort(took)
	median, slow := took[len(took)/2], took[len(took)*9/10]
	step.Printf("The work was asked to take %v and really took %.2f ms in the median (%.2f to %.2f, %d times).",
		*serviceTime, ms(median), ms(took[0]), ms(took[len(took)-1]), len(took))
	if slow > median*21/20+2*time.Millisecond {
		step.Busy("a tenth of the work took %.2f ms or more", ms(slow))
	}

	late := lab.WatchSleeps()
	finished, err := keepBusy(ctx, do, *slots, *serviceTime, *window)
	p99, _ := late()
	if err != nil {
		return err
	}
	if p99 > lab.ToMillis(max(2*time.Millisecond, *serviceTime/10)) {
		step.Busy("sleeps of 1 ms ended late: p99 %.1f ms, want at most a tenth of %v", float64(p99), *serviceTime)
	}
	if len(finished) == 0 {
		step.Doubt("nothing was finished in %v", *window)
		return step.End(ctx, "")
	}
	if ctx.Err() != nil {
		*window = slices.Max(finished) // the interrupt was the bell
	}
	inside := slices.DeleteFunc(slices.Clone(finished), func(at time.Duration) bool { return at > *window })
	if len(inside) == 0 {
		step.Doubt("nothing was finished in %v", *window)
		return step.End(ctx, "")
	}
	naive := newRate("naive: stragglers after the bell too", len(finished), *window)
	// The last batch is cut in two by the bell: counting to the last finish
	// before it, and not to the bell, leaves out the half that was not done.
	honest := newRate("honest: to the last finish before the bell", len(inside), slices.Max(inside))
	expected := float64(*slots) / median.Seconds()
	step.Row(naive)
	step.Row(honest)
	step.Print(lab.Table([][]string{{"how it is counted", "finished", "seconds", "per second"}, naive.cells(), honest.cells()}))
	step.Printf("The true rate should be %d slots / %.2f ms = %.1f/s.", *slots, ms(median), expected)

	off := math.Abs(honest.PerSecond/expected-1) * 100
	step.Add("the honest rate agrees with slots / time per request", off <= 3,
		fmt.Sprintf("%.1f%% apart", off), "at most 3%")
	step.Add("the naive rate, against the honest one", naive.PerSecond >= honest.PerSecond,
		fmt.Sprintf("%.1f and %.1f", naive.PerSecond, honest.PerSecond), "as high or higher")
	step.KeyFigure("%.1f requests per second", honest.PerSecond)
	return step.EndWithCapacity(ctx, *slots, *serviceTime, honest.PerSecond, "make step-2")
}

// timeWork does the work n times, one after the other, and returns how long each took.
func timeWork(ctx context.Context, do work, n int, serviceTime time.Duration) []time.Duration {
	var took []time.Duration
	for range n {
		begin := time.Now()
		if do(ctx, serviceTime) != nil {
			break // interrupted
		}
		took = append(took, time.Since(begin))
	}
	return took
}

// keepBusy has three workers for each slot do the work until the bell, and
// returns when each piece was finished, counted from the start.
func keepBusy(ctx context.Context, do work, slots int, serviceTime, bell time.Duration) ([]time.Duration, error) {
	c, err := lab.NewController(lab.Limits{Slots: slots, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit})
	if err != nil {
		return nil, err
	}
	start := time.Now()
	var (
		workers  sync.WaitGroup
		mu       sync.Mutex
		finished []time.Duration
	)
	for range 3 * slots {
		workers.Go(func() {
			for time.Since(start) < bell {
				if c.Do(ctx, func() error { return do(ctx, serviceTime) }) != nil {
					return // interrupted
				}
				mu.Lock()
				finished = append(finished, time.Since(start))
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return finished, nil
}
