// Step 11: what if no wait limit fits all clients?
//
// New against step 5: a lab.DeadlineGate in front of the controller. Each client waits
// for a time of its own, and a part of that is over before the request gets here: it
// stood in the queue of a gateway, which says so in X-Request-Start. One wait limit for
// all is too long for some of them and too short for others. The gate knows how long
// each will go on waiting, and how long the line and the work take, and turns away at
// once whom it cannot answer in time.
//
// What it leaves out: handing the deadline on to the services behind this one, and what
// clients do with a Retry-After, which was step 7.
//
//	make step-11
//	go run ./steps/11-deadlines -gateway 600ms
package main

import (
	"context"
	"fmt"
	"io"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(11, "deadlines", "what if no wait limit fits all clients?")
	o := newOptions(step)
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	if err := o.check(step); err != nil {
		return err
	}
	step.Printf("Clients wait for %v to %v. When their requests come through the gateway, up to %v of that is over.",
		*o.shortest, o.ClientTimeout, *o.gateway)

	days := []*day{o.slowdown(), o.overload()}
	var trials []trial
	for _, d := range days {
		trials = append(trials, d.trials(o)...)
	}
	results := make([]result, len(trials))
	_, err := step.SideBySide(o.Duration+o.ClientTimeout, len(trials), func(i int) (lab.Summary, error) {
		var err error
		results[i], err = trials[i].run(ctx, o)
		return results[i].Summary, err
	})
	if err != nil {
		return err
	}

	var wasted [2]int // with the best wait limits, and with deadlines
	for i, d := range days {
		r := results[i*len(results)/len(days):][:len(results)/len(days)]
		limits, gate := r[:len(r)-2], r[len(r)-2]
		best := limits[0]
		for _, limit := range limits {
			if limit.Delivered > best.Delivered {
				best = limit
			}
		}
		step.Print(d.table(r) + gate.refusals())
		for _, r := range r {
			step.Row(r)
		}
		wasted[0] += best.Wasted
		wasted[1] += gate.Wasted

		foreseeable := d.foreseeable(gate)
		refused, served := d.refused(gate)
		step.Add(fmt.Sprintf("%s, wasted with %s", d.name, best.Policy), best.Wasted > 0, fmt.Sprint(best.Wasted), "some")
		step.Add(d.name+", wasted with deadlines, foreseeable", foreseeable == 0,
			fmt.Sprintf("%d of %d", foreseeable, gate.Wasted), "0")
		step.Add(d.name+", goodput with deadlines", gate.Delivered >= best.Delivered,
			fmt.Sprintf("%.1f/s", gate.Delivered), fmt.Sprintf("at least %.1f, that of %s", best.Delivered, best.Policy))
		step.Add(d.name+", not served of whom an all-knowing line serves", float64(refused) <= 0.05*float64(served),
			fmt.Sprintf("%d of %d", refused, served), "at most 5%")
	}
	step.Print("* answers in time that came after the warm-up and before the load ended\n" + lateness(results))
	step.Printf("Wasted work is foreseeable if it began after the first slow work had ended. " +
		"An all-knowing line knows every patience and every work in advance.")
	step.KeyFigure("wasted: %d with the best wait limits, %d with deadlines", wasted[0], wasted[1])
	return step.End(ctx, "make step-12")
}
