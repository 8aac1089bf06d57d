// Step 9: what is served, from half the capacity to four times as much?
//
// New against step 5: the whole curve. The steps before looked at one load each;
// this one sends five, to a service without limits and to one that has both, the
// line from Little's law and the wait limit. Up to the capacity they are alike.
// Beyond it one falls off a cliff, and the other stays on a plateau.
//
// The ten runs are side by side: they only sleep. What a run of a few seconds leaves
// out is the slow burn. Just above the capacity the line grows so slowly that the
// collapse comes after the end, and the cliff looks like a plateau: see -hold.
//
//	make step-9
//	go run ./steps/09-sweep -hold 60s    # a little too much, for a minute
//	go run ./steps/09-sweep -tune        # which wait limit?
//	go run ./steps/09-sweep -far         # where does the plateau end?
//	go run ./steps/09-sweep -url http://127.0.0.1:8080/work
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

// What the program does instead of the sweep when it is given one of these flags.
var modes = []struct {
	flag       string
	run        func(ctx context.Context, args []string, stdout, stderr io.Writer) error
	how, usage string
}{
	{"hold", hold, "-hold 60s", "hold loads near the capacity for a minute, without limits"},
	{"tune", tune, "-tune", "compare three wait limits"},
	{"far", far, "-far", "go on over HTTP until the generator or the server is the bottleneck"},
	{"url", sweepURL, "-url URL", "load test a service of your own"},
	{"from", sweepURL, "-from FILE", "count what other load generators have written down"},
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "serve" {
		return serve(ctx, args[1:], stdout, stderr)
	}
	for _, m := range modes {
		if given(args, m.flag) {
			return m.run(ctx, args, stdout, stderr)
		}
	}
	return sweep(ctx, args, stdout, stderr)
}

// given reports whether a flag is among the arguments, in any spelling.
func given(args []string, name string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		flag, value, _ := strings.Cut(arg, "=")
		return (flag == "-"+name || flag == "--"+name) && value != "false"
	})
}

// A row is one run at one load.
type row struct {
	lab.Summary
	Multiple float64 `json:"multiple"` // of the capacity
	burn
}

func sweep(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(9, "sweep", "what is served, from half the capacity to four times as much?")
	set := step.Settings(6 * time.Second)
	step.Default("warm-up", "2s")
	budget := step.Millis("budget", 500*time.Millisecond, "wait in line that gives the line its length, as in step 4")
	maxWait := step.Millis("max-wait", 300*time.Millisecond, "longest wait in line, as in step 5")
	serial := step.Bool("serial", "one run after the other, on a machine too busy for all at once")
	about := "Modes with flags of their own, which a -h behind them lists:"
	for _, m := range modes {
		about += fmt.Sprintf("\n  %-11s %s", m.how, m.usage)
	}
	step.About(about)
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	limits := bounded(set, *budget, *maxWait)
	step.Printf("Protected is a service with a line of %d and a wait limit of %v; unprotected is one without limits.",
		limits.MaxWaiting, *maxWait)
	if slow, _ := collapse(set, 1.5); slow > set.WarmUp || min(*budget, *maxWait)+set.ServiceTime >= set.ClientTimeout {
		step.Doubt("the claims are about a collapse within -warm-up at 1.5 times the capacity, which takes %.2f s here, "+
			"and limits that leave time for the work", slow.Seconds())
	}
	doubtShort(step, set)

	multiples := []float64{0.5, 1, 1.5, 2, 4}
	var trials []lab.Trial
	for _, x := range multiples {
		trials = append(trials, trial(set, "unprotected", unlimited(set), x), trial(set, "protected", limits, x))
	}
	runs, err := measure(ctx, step, *serial, trials)
	if err != nil {
		return err
	}
	var without, with []float64 // steady goodput at each of the multiples
	table := [][]string{{"load", "per s", "unprotected*", "predicted", "seen", "protected*", "shed", "p99 ms"}}
	for i, x := range multiples {
		u, p := runs[2*i], runs[2*i+1]
		without, with = append(without, u.Steady), append(with, p.Steady)
		b := newBurn(set, x, u)
		u.Policy, p.Policy = "unprotected", "protected"
		step.Row(row{u, x, b})
		step.Row(row{p, x, burn{}})
		table = append(table, []string{fmt.Sprintf("%gx", x), fmt.Sprintf("%.1f", x*set.Capacity), steady(u, set),
			b.predicted(), b.seen(), steady(p, set), fmt.Sprint(p.Shed), p.P99.String()})
	}
	step.Print(lab.Table(table) + "* goodput per second, of the requests due after the warm-up\n" + lab.Lateness(runs...))
	if ctx.Err() == nil {
		step.Print("goodput, by load in multiples of the capacity; u: unprotected, p: protected\n" +
			lab.Plot(multiples, lab.Curve{Mark: 'u', Y: without}, lab.Curve{Mark: 'p', Y: with}))
	}
	burns, _ := collapse(set, 1.02)
	step.Printf("At x times the capacity the line of the unprotected service outgrows the patience after (%v - %v) / (x - 1): "+
		"predicted and seen. That is %.0f s at 1.02x, and longer than any test at 1x. A short test flatters.",
		set.ClientTimeout, set.ServiceTime, burns.Seconds())

	least, most := slices.Min(with[1:]), slices.Max(with[1:])
	step.Add("protected, from 1x to 4x", least >= 0.95*set.Capacity && most <= 1.05*set.Capacity,
		fmt.Sprintf("%.1f to %.1f/s", least, most), fmt.Sprintf("within 5%% of %.1f/s", set.Capacity))
	least, most = slices.Min(with[2:]), slices.Max(with[2:])
	step.Add("protected, above 1x", most <= 1.05*least,
		fmt.Sprintf("%.1f to %.1f/s", least, most), "flat within 5%")
	most = slices.Max(without[2:])
	step.Add("unprotected, from 1.5x on", most <= 0.02*set.Capacity,
		fmt.Sprintf("at most %.1f/s", most), "at most 2% of the capacity")
	step.Add("both at 0.5x", math.Abs(without[0]-with[0]) <= 0.02*with[0],
		fmt.Sprintf("%.1f and %.1f/s", without[0], with[0]), "equal within 2%")
	last := len(multiples) - 1
	step.KeyFigure("goodput at %gx: %.1f/s protected, %.1f/s not", multiples[last], with[last], without[last])
	return step.End(ctx, `make step-9 ARGS="-hold 60s"`)
}

// steady is the goodput after the warm-up, or "-" if the run was cut short before
// that was over.
func steady(run lab.Summary, set *lab.Settings) string {
	if arrived, _ := run.Between(set.WarmUp, set.Duration); arrived == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", run.Steady)
}
