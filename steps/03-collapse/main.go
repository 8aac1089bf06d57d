// Step 3: what becomes of a service without limits at twice its capacity?
//
// The service has slots for a few requests and lets any number of others wait,
// as long as they like: the ordinary state of a service in which nobody has
// chosen a limit. Requests come at twice the rate it can finish, whatever
// becomes of the earlier ones, and every client gives up after a while.
//
// A median of the answers hides the collapse, so this version counts goodput:
// answers within the clients' patience. What it leaves out is the cure: see
// step 4.
//
//	make step-3
//	go run ./steps/03-collapse -multiple 3
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
	step := lab.NewStep(3, "collapse", "what becomes of a service without limits at twice its capacity?")
	set := step.Settings(5 * time.Second)
	multiple := step.Float("multiple", 2, "offered load, in multiples of the capacity")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	if *multiple <= 1 {
		return lab.Usage(fmt.Errorf("-multiple is %g, want more than 1: without an overload nothing collapses", *multiple))
	}
	rate := *multiple * set.Capacity
	step.Printf("This service is meant to collapse: it can finish %.1f requests per second, and %.1f come.",
		set.Capacity, rate)

	// The line grows by what comes and is not finished. Those who join it from
	// breaks on wait longer than they have patience.
	breaks := lab.Seconds((set.ClientTimeout - set.ServiceTime).Seconds() / (*multiple - 1))
	step.Printf("The line outgrows the clients' patience after (%v - %v) / (%g - 1) = %.2f s.",
		set.ClientTimeout, set.ServiceTime, *multiple, breaks.Seconds())
	if breaks <= 0 || breaks > set.Duration/3 {
		step.Doubt("the claims are about a line that outgrows the patience in the first third of -duration, want at least %v",
			(3 * breaks).Round(100*time.Millisecond))
	}

	runs, err := step.Run(ctx, lab.Trial{
		Policy:      "no limits",
		Limits:      lab.Limits{Slots: set.Slots, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit},
		ServiceTime: lab.Constant(set.ServiceTime),
		Load:        lab.OpenLoop{Rate: rate, Duration: set.Duration, Patience: set.ClientTimeout},
		WarmUp:      set.WarmUp,
		WatchLine:   true,
	})
	if err != nil {
		return err
	}
	r := runs[0]
	step.Table(r)
	step.Print(lab.SecondsTable(r))
	if sent := r.Offered - r.NotSent; r.OK < sent {
		step.Printf("The median of the answers, %s ms, looks fine. It leaves out the %d clients of %d who got no answer in time.",
			r.P50, sent-r.OK, sent)
	}

	early, earlyOK := r.Between(0, breaks)
	late, lateOK := r.Between(2*breaks, set.Duration)
	step.Add(fmt.Sprintf("due before %.2f s, answered in time", breaks.Seconds()),
		earlyOK*10 >= early*9, fmt.Sprintf("%d of %d", earlyOK, early), "at least 90%")
	step.Add(fmt.Sprintf("due after %.2f s, answered in time", 2*breaks.Seconds()),
		lateOK*50 <= late, fmt.Sprintf("%d of %d", lateOK, late), "at most 2%")
	step.Add("work finished for clients who had gone",
		r.Wasted*2 > r.Work, fmt.Sprintf("%d of %d", r.Wasted, r.Work), "more than half")
	step.Add("peak line", r.PeakLine >= 100, fmt.Sprint(r.PeakLine), "at least 100")
	if late > 0 {
		step.KeyFigure("%d of %d answered in time, once the line was too long", lateOK, late)
	}
	return step.End(ctx, "make step-4")
}
