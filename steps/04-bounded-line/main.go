// Step 4: does a bounded line keep the service at its capacity?
//
// New against step 3: MaxWaiting. Nobody gets to wait longer than the delay
// budget, because the line is no longer than what the service finishes in that
// time: by Little's law, length = capacity x budget. Whoever finds it full is
// turned away at once, while there is still time to ask somebody else.
//
// A bound on the length bounds the wait only as long as the service keeps its
// pace. What happens when it does not is left to step 5.
//
//	make step-4
//	go run ./steps/04-bounded-line -budget 0.3
package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(4, "bounded-line", "does a bounded line keep the service at its capacity?")
	set := step.Settings(5 * time.Second)
	multiple := step.Float("multiple", 2, "offered load, in multiples of the capacity")
	budget := step.Millis("budget", 500*time.Millisecond, "longest wait in line that is worth while")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	places := lab.LittlesLaw(set.Capacity, *budget)
	step.Printf("Little's law: a line of %.1f/s x %v = %d requests is a wait of %v.",
		set.Capacity, *budget, places, *budget)
	if *multiple <= 1 || *budget+set.ServiceTime >= set.ClientTimeout {
		step.Doubt("the claims are about an overload, and a budget that leaves time for the work itself")
	}

	trial := lab.Trial{
		Policy:      "no limits",
		Limits:      lab.Limits{Slots: set.Slots, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit},
		ServiceTime: lab.Constant(set.ServiceTime),
		Load:        lab.OpenLoop{Rate: *multiple * set.Capacity, Duration: set.Duration, Patience: set.ClientTimeout},
		WarmUp:      set.WarmUp,
		WatchLine:   true,
	}
	bounded := trial
	bounded.Policy = fmt.Sprintf("line of %d", places)
	bounded.Limits.MaxWaiting = places

	runs, err := step.Run(ctx, trial, bounded)
	if err != nil {
		return err
	}
	before, after := runs[0], runs[1]
	step.Table(before, after)
	step.Print(lab.SecondsTable(after))

	step.Add("timeouts with the bound", after.Timeout == 0, fmt.Sprint(after.Timeout), "0")
	step.Add("wasted with the bound", after.Wasted == 0, fmt.Sprint(after.Wasted), "0")
	step.Add("peak line with the bound", after.PeakLine == places, fmt.Sprint(after.PeakLine), fmt.Sprint(places))
	limit := (*budget + set.ServiceTime) * 12 / 10
	step.Add("p99 with the bound", after.P99 <= lab.ToMillis(limit),
		after.P99.String()+" ms", fmt.Sprintf("at most %s ms: budget + service time + 20%%", lab.ToMillis(limit)))
	step.Add("steady goodput with the bound and without", after.Steady > 2*before.Steady,
		fmt.Sprintf("%.1f and %.1f/s", after.Steady, before.Steady), "more than twice as much with it")
	step.KeyFigure("goodput %.1f/s with the bound, %.1f/s without", after.Steady, before.Steady)
	return step.End(ctx, "make step-5")
}
