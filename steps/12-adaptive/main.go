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

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if slices.ContainsFunc(args, func(arg string) bool { return arg == "-burn" || arg == "--burn" }) {
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
	for n := 1; n <= *d.most; n *= 2 {
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

// claim holds the limits that find themselves against the fixed ones.
func (d *day) claim(step *lab.Step, fixed, adaptive []row, hasty row) {
	best, bestAfter := 0, 0.0
	for i, r := range fixed {
		if r.Before > fixed[best].Before {
			best = i
		}
		bestAfter = max(bestAfter, r.After)
	}
	most, beside := fixed[best].Before, 0.0
	for _, i := range []int{best - 1, best + 1} {
		if i >= 0 && i < len(fixed) {
			beside = max(beside, fixed[i].Before)
		}
	}
	step.Add(fmt.Sprintf("fixed at half and twice %d, goodput", fixed[best].Slots), beside <= 0.9*most,
		percent(beside, most), "at most 90% of the best")
	for _, r := range adaptive {
		step.Add(fmt.Sprintf("%s, goodput from %v on", r.Policy, *d.settle), r.Before >= 0.9*most,
			percent(r.Before, most), "at least 90% of the best")
		step.Add(fmt.Sprintf("%s, goodput from %v after the slowdown on", r.Policy, *d.settle), r.After >= 0.9*bestAfter,
			percent(r.After, bestAfter), "at least 90%")
	}
	least, highest := min(adaptive[0].Lowest, adaptive[1].Lowest), max(adaptive[0].Highest, adaptive[1].Highest)
	step.Add("lowest limit then, but for the probes", 2*least >= fixed[best].Slots, fmt.Sprint(least), "at least half of the best")
	step.Add("swing of the limit then, highest / lowest", highest <= 2*least, swing(least, highest), "at most 2")
	step.Add(fmt.Sprintf("swing with rounds of %g", *d.hastyRound), hasty.Highest > 2*hasty.Lowest,
		swing(hasty.Lowest, hasty.Highest), "more than 2")
	step.KeyFigure("the best fixed limit is %d; one that finds itself serves %s of that", fixed[best].Slots,
		percent(min(adaptive[0].After, adaptive[1].After), bestAfter))
}

// doubt says where the flags ask for something that the claims are not about.
func (d *day) doubt(step *lab.Step) {
	busy := 2 * *d.serviceTime // what work takes at the best limit
	for _, s := range []span{d.before(), d.after()} {
		if s.to-s.from < 10*busy {
			step.Doubt("the claims are about steady times: from %v to %v, want at least %v", s.from, s.to, 10*busy)
		}
	}
	if *d.settle < 15*busy || *d.probe < 40*busy {
		step.Doubt("-settle is %v and -probe %v, want at least 30 and 80 times the service time", *d.settle, *d.probe)
	}
	if *d.multiple < 1.5 || *d.knee < 4 || *d.knee > float64(*d.most)/2 {
		step.Doubt("the claims are about an overload of 1.5 times or more, and a -knee of at least 4 and at most half of -max")
	}
	if *d.maxWait+2*busy > *d.patience {
		step.Doubt("the clients' patience is %v, want at least %v to wait and to be served", *d.patience, *d.maxWait+2*busy)
	}
}
