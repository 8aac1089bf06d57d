// Step 5: what if the service itself slows down?
//
// New against step 4: MaxWait. The load stays below the capacity, but after a
// while every request takes several times longer, as when a database has a bad
// day. The line that was worth half a second is now worth two, and the bound on
// its length no longer bounds the wait. A bound on the wait still does, because
// it is measured in the clients' own unit.
//
// Choose it so that a request which waits that long, and then meets the slowest
// service time, still comes in time: patience - slowest service time at most.
//
// What it leaves out: the network, and real clients. See step 6.
//
//	make step-5
//	go run ./steps/05-slowdown -max-wait 0.6
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
	step := lab.NewStep(5, "slowdown", "what if the service itself slows down?")
	set := step.Settings(8 * time.Second)
	multiple := step.Float("multiple", 0.8, "offered load, in multiples of the capacity")
	budget := step.Millis("budget", 500*time.Millisecond, "wait in line that gives the line its length, as in step 4")
	slowAfter := step.Seconds("slow-after", 3*time.Second, "when the service slows down")
	factor := step.Float("slow-factor", 4, "how many times longer the work takes then")
	maxWait := step.Millis("max-wait", 300*time.Millisecond, "longest wait in line")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	slow := time.Duration(float64(set.ServiceTime) * *factor)
	places := lab.LittlesLaw(set.Capacity, *budget)
	step.Printf("A line of %d is a wait of %v, and of %v once the work takes %v.",
		places, *budget, time.Duration(float64(*budget)**factor), slow)
	step.Printf("Choosing the wait limit: at most %v - %v = %v; here it is %v.",
		set.ClientTimeout, slow, set.ClientTimeout-slow, *maxWait)

	if *slowAfter+2*set.ClientTimeout > set.Duration || *factor <= 1 {
		step.Doubt("the claims are about a service that slows down, and goes on for at least twice -client-timeout after that")
	}

	trial := lab.Trial{
		Policy: fmt.Sprintf("line of %d", places),
		Limits: lab.Limits{Slots: set.Slots, MaxWaiting: places, MaxWait: lab.NoLimit},
		ServiceTime: func(begin time.Duration) time.Duration {
			if begin < *slowAfter {
				return set.ServiceTime
			}
			return slow
		},
		Load:      lab.OpenLoop{Rate: *multiple * set.Capacity, Duration: set.Duration, Patience: set.ClientTimeout},
		WarmUp:    set.WarmUp,
		WatchLine: true,
	}
	limited := trial
	limited.Policy = fmt.Sprintf("+ wait %v", *maxWait)
	limited.Limits.MaxWait = *maxWait

	runs, err := step.Run(ctx, trial, limited)
	if err != nil {
		return err
	}
	before, after := runs[0], runs[1]
	step.Table(before, after)
	step.Print(lab.SecondsTable(before))
	step.Print(lab.SecondsTable(after))

	step.Add("timeouts with the line's bound alone", before.Timeout > 0, fmt.Sprint(before.Timeout), "some")
	step.Add("wasted with the line's bound alone", before.Wasted > 0, fmt.Sprint(before.Wasted), "some")
	step.Add("timeouts with the wait limit", after.Timeout == 0, fmt.Sprint(after.Timeout), "0")
	step.Add("wasted with the wait limit", after.Wasted == 0, fmt.Sprint(after.Wasted), "0")
	step.Add("goodput with the wait limit and without", after.Goodput > before.Goodput,
		fmt.Sprintf("%.1f and %.1f/s", after.Goodput, before.Goodput), "more with it")
	step.KeyFigure("timeouts: %d with a bounded line, %d with a wait limit too", before.Timeout, after.Timeout)
	return step.End(ctx, "make step-6")
}
