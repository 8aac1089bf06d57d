// Step 10: which work may be turned away first?
//
// New against step 5: classes. Not all requests are worth the same, and a service that
// must turn half of them away may choose which half. Each request has a criticality,
// and a line that is not equally long for all: the last places in it are kept for what
// is more important. A share of the line is a wait, by Little's law. That of the
// sheddable is short, because everybody behind them waits for it.
//
// The line is still one, first come, first served, and the slots are for all. What
// changes is who is let in.
//
// What it leaves out: HTTP, where the class is read off the request. See the text, and
// lab.Classify.
//
//	make step-10
//	go run ./steps/10-priority -sheddable-wait 300ms
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(10, "priority", "which work may be turned away first?")
	set := step.Settings(8 * time.Second)
	multiple := step.Float("multiple", 2, "offered load, in multiples of the capacity")
	critical := step.Float("critical", 0.25, "share of it that is critical; the rest is sheddable")
	flood := step.Float("flood", 1.5, "critical load in the last run, in multiples of the capacity")
	budget := step.Millis("budget", 500*time.Millisecond, "wait in line that gives the line its length, as in step 4")
	sheddableWait := step.Millis("sheddable-wait", 100*time.Millisecond, "the same for the sheddable: their share of the line")
	maxWait := step.Millis("max-wait", 600*time.Millisecond, "longest wait in line")
	seed := step.Int("seed", 1, "of the order in which the classes come")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	places, share := lab.LittlesLaw(set.Capacity, *budget), lab.LittlesLaw(set.Capacity, *sheddableWait)
	step.Printf("Little's law: %v of wait are a line of %d, and %v are %d. The critical may use all of the line, "+
		"the sheddable the first %d places.", *budget, places, *sheddableWait, share, share)
	if *multiple < 1.5 || *flood < 1.2 || *multiple**critical > 0.8 {
		step.Doubt("the claims are about 1.5 times the capacity or more, of which the critical alone are at most 0.8, " +
			"and a -flood of 1.2 or more")
	}
	if *budget+set.ServiceTime > *maxWait || *maxWait+set.ServiceTime >= set.ClientTimeout {
		step.Doubt("the claims are about a -max-wait that outlasts the wait in the last place, and leaves time for the work")
	}

	whole := lab.Shares{lab.CriticalPlus: places, lab.Critical: places, lab.SheddablePlus: places, lab.Sheddable: places}
	kept := lab.Shares{lab.CriticalPlus: places, lab.Critical: places, lab.SheddablePlus: share, lab.Sheddable: share}
	mixed := experiment{
		policy:      "no classes",
		limits:      lab.Limits{Slots: set.Slots, MaxWaiting: places, MaxWait: *maxWait},
		shares:      whole,
		serviceTime: set.ServiceTime,
		load:        lab.OpenLoop{Rate: *multiple * set.Capacity, Duration: set.Duration, Patience: set.ClientTimeout},
		warmUp:      set.WarmUp,
		critical:    *critical,
		seed:        uint64(*seed),
	}
	classes := mixed
	classes.policy, classes.shares = "classes", kept
	flooded := classes // and as many sheddable as before
	sheddableLoad := *multiple * (1 - *critical)
	flooded.policy, flooded.critical = fmt.Sprintf("critical %gx", *flood), *flood/(*flood+sheddableLoad)
	flooded.load.Rate = (*flood + sheddableLoad) * set.Capacity

	experiments := []experiment{mixed, classes, flooded}
	outcomes := make([]outcome, len(experiments))
	runs, err := step.SideBySide(set.Duration+set.ClientTimeout, len(experiments), func(i int) (_ lab.Summary, err error) {
		outcomes[i], err = experiments[i].run(ctx)
		return outcomes[i].all.Summary, err
	})
	if err != nil {
		return err
	}
	timeouts, tooLong := 0, 0
	for _, o := range outcomes {
		step.Row(o.critical)
		step.Row(o.sheddable)
		step.Row(o.all)
		timeouts, tooLong = timeouts+o.all.Timeout, tooLong+o.all.WaitedTooLong
	}
	step.Print(table(outcomes) + lab.Lateness(runs...))
	without, with, starved := outcomes[0], outcomes[1], outcomes[2]
	if since, ok := starved.sheddable.Collapse(); ok && since < set.WarmUp && ctx.Err() == nil {
		step.Printf("Starvation: with %gx the capacity in critical requests, none of the sheddable that came from %.2f s on "+
			"was served. That lasts as long as the critical do.", *flood, since.Seconds())
	}

	half, rest := 100 / *multiple, 100*(1-*multiple**critical)/sheddableLoad
	near := func(measured, wanted, points float64) bool { return math.Abs(measured-wanted) <= points }
	step.Add("no classes: critical and sheddable served", near(without.critical.Served, half, 12) && near(without.sheddable.Served, half, 12),
		fmt.Sprintf("%.0f%% and %.0f%%", without.critical.Served, without.sheddable.Served), fmt.Sprintf("each within 12 points of %.0f%%", half))
	step.Add("classes: critical served", with.critical.OK*100 >= with.critical.Offered*99,
		fmt.Sprintf("%d of %d", with.critical.OK, with.critical.Offered), "at least 99%")
	step.Add("classes: sheddable served", near(with.sheddable.Served, rest, 5),
		fmt.Sprintf("%.1f%%", with.sheddable.Served), fmt.Sprintf("the rest: within 5 points of %.0f%%", rest))
	step.Add("goodput of all, with classes and without", near(with.all.Steady, without.all.Steady, without.all.Steady/50),
		fmt.Sprintf("%.1f and %.1f/s", with.all.Steady, without.all.Steady), "equal within 2%")
	step.Add("too many critical: their goodput", near(starved.critical.Steady, set.Capacity, set.Capacity/20),
		fmt.Sprintf("%.1f/s", starved.critical.Steady), fmt.Sprintf("within 5%% of %.1f/s", set.Capacity))
	step.Add("too many critical: sheddable served", starved.sheddable.Served <= 2,
		fmt.Sprintf("%.1f%%", starved.sheddable.Served), "at most 2%")
	step.Add("shed by the wait limit, timeouts", tooLong+timeouts == 0, fmt.Sprintf("%d, %d", tooLong, timeouts), "0, 0")
	step.KeyFigure("critical served at %gx: %.0f%% without classes, %.0f%% with", *multiple, without.critical.Served, with.critical.Served)
	return step.End(ctx, "make step-11")
}
