package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"example.com/sheddinglab/lab"
)

// A burnRow is one kind of work under one load.
type burnRow struct {
	lab.Summary
	Multiple  float64 `json:"multiple"`  // of the capacity
	Processor float64 `json:"processor"` // share of all processors that this process used
}

// maxSlower is how much longer than it computes the work may take, before the
// processor is busy with something else.
const maxSlower = 0.25

// burn looks at the processor under three loads, with work that waits and with work
// that computes. One run after the other: the processor time is that of the process.
func burn(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(12, "adaptive", "would the processor have told us?")
	step.Mode("burn")
	step.Bool("burn", "look at the processor, with work that waits and work that computes")
	serviceTime := step.Millis("service-time", lab.DefaultServiceTime, "how long the work takes")
	patience := step.Millis("client-timeout", lab.DefaultClientTimeout, "the clients' patience")
	duration := step.Seconds("duration", 2*time.Second, "how long requests keep coming, in each run")
	maxWait := step.Millis("max-wait", 300*time.Millisecond, "longest wait in line")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	if _, ok := processorTime(); !ok {
		return lab.Usage(errors.New("-burn cannot read the processor time of a process on this system"))
	}
	perMilli, err := calibrate()
	if err != nil {
		return lab.Usage(err)
	}
	slots := runtime.GOMAXPROCS(0)
	capacity := float64(slots) / serviceTime.Seconds()
	step.Printf("%d processors, and as many slots. The work takes %v: first it waits, then it computes. The capacity is %.1f/s.",
		slots, *serviceTime, capacity)

	iterations := int(perMilli * float64(lab.ToMillis(*serviceTime)))
	waits := func(ctx context.Context) error { return lab.PretendWork(ctx, *serviceTime) }
	burns := func(context.Context) error { compute(iterations); return nil }
	limits := lab.Limits{Slots: slots, MaxWaiting: lab.LittlesLaw(capacity, *maxWait), MaxWait: *maxWait}
	measure := func(name string, multiple float64, work func(context.Context) error) (burnRow, error) {
		load := lab.OpenLoop{Rate: multiple * capacity, Duration: *duration, Patience: *patience}
		gate, err := lab.NewController(limits)
		if err != nil {
			return burnRow{}, lab.Usage(err)
		}
		var pace pace
		before, _ := processorTime()
		start := time.Now()
		samples, err := load.Run(ctx, func(ctx context.Context) error {
			return gate.Do(ctx, func() error {
				return pace.of(*serviceTime, func() error { return work(ctx) })
			})
		})
		if err != nil {
			return burnRow{}, lab.Usage(err)
		}
		took := time.Since(start)
		after, _ := processorTime()
		s := lab.Summarize(name, load, 0, samples)
		s.WorkSlower = pace.slower()
		return burnRow{s, multiple, (after - before).Seconds() / took.Seconds() / float64(slots)}, nil
	}

	stopProgress := step.Progress(6 * *duration)
	multiples := []float64{0.5, 1, 2}
	var rows []burnRow
	for _, kind := range []struct {
		name string
		work func(context.Context) error
	}{{"waits", waits}, {"burns", burns}} {
		for _, x := range multiples {
			r, err := measure(kind.name, x, kind.work)
			if err != nil {
				stopProgress()
				return err
			}
			rows = append(rows, r)
		}
	}
	stopProgress()
	table := [][]string{{"work", "load", "processor", "goodput/s", "shed", "p99 ms", "work slower"}}
	for _, r := range rows {
		step.Row(r)
		table = append(table, []string{r.Policy, fmt.Sprintf("%gx", r.Multiple), percent(r.Processor, 1),
			fmt.Sprintf("%.1f", r.Goodput), fmt.Sprint(r.Shed), r.P99.String(), percent(r.WorkSlower, 1)})
		if r.WorkSlower > maxSlower {
			step.Doubt("work that %s at %gx took %.0f%% longer than it does alone, want at most %.0f%%; the machine is too busy",
				r.Policy, r.Multiple, 100*r.WorkSlower, 100*maxSlower)
		}
	}
	step.Print(lab.Table(table))

	n := len(multiples)
	waiting, half, full, double := rows[n-1].Processor, rows[n].Processor, rows[n+1].Processor, rows[n+2].Processor
	step.Add("work that waits, processor at 2x", waiting <= 0.1, percent(waiting, 1), "at most 10%, as if it were idle")
	step.Add("work that burns, processor at 0.5x", half >= 0.35 && half <= 0.7, percent(half, 1), "35% to 70%")
	step.Add("work that burns, processor at 1x and 2x", min(full, double) >= 0.8,
		percent(full, 1)+" and "+percent(double, 1), "at least 80%")
	return step.End(ctx, "make report")
}
