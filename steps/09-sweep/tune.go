package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/sheddinglab/lab"
)

// tune compares three wait limits at twice the capacity. They do not change how many
// are served: the service is busy all the time. They change how long those waited.
func tune(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(9, "sweep", "which wait limit?")
	step.Mode("tune")
	step.Bool("tune", "compare wait limits")
	set := step.Settings(6 * time.Second)
	step.Default("warm-up", "2s")
	multiple := step.Float("multiple", 2, "offered load, in multiples of the capacity")
	budget := step.Millis("budget", 500*time.Millisecond, "wait in line that gives the line its length, as in step 4")
	maxWait := step.Millis("max-wait", 300*time.Millisecond, "longest wait in line; twice and three times as long are tried too")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	if *multiple < 1.5 || *maxWait*10 > *budget*6 || 2**maxWait < *budget || *budget+set.ServiceTime >= set.ClientTimeout {
		step.Doubt("the claims are about an overload, a -budget that leaves time for the work, " +
			"and a -max-wait of between 50%% and 60%% of it")
	}
	doubtShort(step, set)

	var trials []lab.Trial
	for i := range time.Duration(3) {
		t := trial(set, "", bounded(set, *budget, *maxWait*(i+1)), *multiple)
		t.Policy = fmt.Sprint("wait ", t.Limits.MaxWait)
		trials = append(trials, t)
	}
	runs, err := step.Run(ctx, trials...)
	if err != nil {
		return err
	}
	table := [][]string{{"limit", "goodput/s*", "p99 ms", "timeout", "shed", "peak line"}}
	for _, r := range runs {
		table = append(table, []string{r.Policy, fmt.Sprintf("%.1f", r.Steady), r.P99.String(), fmt.Sprint(r.Timeout),
			fmt.Sprint(r.Shed), fmt.Sprint(r.PeakLine)})
	}
	step.Print(lab.Table(table) + "* of the requests due after the warm-up\n" + lab.Lateness(runs...))
	step.Printf("The line has %d places, worth %v: a longer wait limit than that limits nothing.",
		trials[0].Limits.MaxWaiting, *budget)

	short, middle, long := runs[0], runs[1], runs[2]
	least, most := min(short.Steady, middle.Steady, long.Steady), max(short.Steady, middle.Steady, long.Steady)
	step.Add("goodput", most <= 1.03*least, fmt.Sprintf("%.1f to %.1f/s", least, most), "equal within 3%")
	step.Add(fmt.Sprintf("p99 with %s", short.Policy), short.P99 <= long.P99*2/3,
		fmt.Sprintf("%s ms, %s with %s", short.P99, long.P99, long.Policy), "at least a third lower")
	step.Add(fmt.Sprintf("p99 with %s and %s", middle.Policy, long.Policy), alike(float64(middle.P99), float64(long.P99)),
		fmt.Sprintf("%s and %s ms", middle.P99, long.P99), "equal within 3%")
	step.Add("shed with them", alike(float64(middle.Shed), float64(long.Shed)),
		fmt.Sprintf("%d and %d", middle.Shed, long.Shed), "equal within 3%")
	step.KeyFigure("goodput %.1f to %.1f/s, and p99 %s to %s ms", least, most, short.P99, long.P99)
	return step.End(ctx, "make step-9 ARGS=-far")
}

func alike(a, b float64) bool { return math.Abs(a-b) <= 0.03*max(a, b) }
