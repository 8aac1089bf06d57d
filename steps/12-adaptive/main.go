// Step 12: what limit, if nobody knows the right one?
//
// New against step 9: the number of slots. In the steps before it was given, and more
// of them were simply more capacity. Here the work is in its own way (see
// [lab.Contended]): too few slots leave capacity unused, and too many destroy it.
// First every fixed limit is tried, to find the best one. Then a limit that finds
// itself (see [lab.Gradient]) begins far too low and far too high. For a while the
// work takes several times longer, and then it recovers.
//
// The last run has the same algorithm with one bad constant.
//
// What it leaves out: work of several kinds, each with a time of its own. It needs a
// limit for each kind.
//
//	make step-12
//	go run ./steps/12-adaptive -round 0.05    # the bad constant in every adaptive run
//	go run ./steps/12-adaptive -burn          # would the processor have told us?
package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	burning := slices.ContainsFunc(args, func(arg string) bool {
		flag, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return flag == "burn" && value != "false"
	})
	if burning {
		return burn(ctx, args, stdout, stderr)
	}
	return adapt(ctx, args, stdout, stderr)
}

func adapt(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(12, "adaptive", "what limit, if nobody knows the right one?")
	d := newDay(step)
	step.Bool("burn", "instead: would the processor have told us? It has flags of its own")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	if *d.least > *d.most {
		return lab.Usage(fmt.Errorf("-min is %d, want at most -max, which is %d", *d.least, *d.most))
	}
	step.Printf("n at work take about %v x (1 + n(n-1) / %g^2) each. The service finishes the most, %.1f/s, with %g at work; "+
		"%.1f/s come. From %v to %v the work takes %g times as long.", *d.serviceTime, *d.knee, d.peak(), *d.knee,
		d.load().Rate, d.slow().from, d.slow().to, *d.slowFactor)
	d.doubt(step)

	var policies []func() (row, error)
	for _, n := range d.halves() {
		policies = append(policies, func() (row, error) { return d.fixed(ctx, fmt.Sprint(n), n) })
	}
	fixed := len(policies)
	low, high := fmt.Sprint("from ", *d.least), fmt.Sprint("from ", *d.most)
	policies = append(policies,
		func() (row, error) { return d.adaptive(ctx, low, *d.least, *d.round) },
		func() (row, error) { return d.adaptive(ctx, high, *d.most, *d.round) },
		func() (row, error) { return d.adaptive(ctx, "hasty", *d.least, *d.hastyRound) })
	rows := make([]row, len(policies))
	runs, err := step.SideBySide(*d.duration+*d.patience, len(policies), func(i int) (_ lab.Summary, err error) {
		rows[i], err = policies[i]()
		return rows[i].Summary, err
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		step.Row(r)
	}
	step.Print(d.table(rows) + lab.Lateness(runs...))
	step.Print(fmt.Sprintf("the limit over time; l: %s, h: %s, *: both, dots: hasty\n", low, high) +
		picture(*d.duration, *d.most, rows[fixed].Limits, rows[fixed+1].Limits, rows[fixed+2].Limits))
	d.claim(step, rows[:fixed], rows[fixed:fixed+2], rows[fixed+2])
	return step.End(ctx, "make report")
}
