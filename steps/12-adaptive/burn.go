package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"example.com/sheddinglab/lab"
)

// maxOff is by what share the work may take longer than it computes, or shorter, before
// the processor is busy with something else.
const maxOff = 0.25

// A burner sends loads to work that waits or computes.
type burner struct {
	serviceTime time.Duration
	slots       int
	limits      lab.Limits
	load        lab.OpenLoop
}

// A burnRow is one kind of work under one load.
type burnRow struct {
	lab.Summary
	Multiple  float64 `json:"multiple"`  // of the capacity
	Processor float64 `json:"processor"` // share of all processors that this process used
}

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
	perMilli, err := calibrate()
	if err != nil {
		return lab.Usage(err)
	}
	slots := runtime.GOMAXPROCS(0)
	capacity := float64(slots) / serviceTime.Seconds()
	step.Printf("%d processors, and as many slots. The work takes %v: first it waits, then it computes. The capacity is %.1f/s.",
		slots, *serviceTime, capacity)
	b := burner{
		serviceTime: *serviceTime,
		slots:       slots,
		limits:      lab.Limits{Slots: slots, MaxWaiting: lab.LittlesLaw(capacity, *maxWait), MaxWait: *maxWait},
		load:        lab.OpenLoop{Rate: capacity, Duration: *duration, Patience: *patience},
	}
	waits := func(ctx context.Context) error { return lab.PretendWork(ctx, *serviceTime) }
	iterations := int(perMilli * float64(lab.ToMillis(*serviceTime)))
	burns := func(context.Context) error { compute(iterations); return nil }
	stopProgress := step.Progress(6 * *duration)
	waiting, err := b.measure(ctx, "waits", waits)
	burning, err2 := b.measure(ctx, "burns", burns)
	stopProgress()
	if err := errors.Join(err, err2); err != nil {
		return lab.Usage(err)
	}
	table := [][]string{{"work", "load", "processor", "goodput/s", "shed", "p99 ms", "work slower"}}
	for _, r := range append(waiting, burning...) {
		step.Row(r)
		table = append(table, []string{r.Policy, fmt.Sprintf("%gx", r.Multiple), percent(r.Processor, 1),
			fmt.Sprintf("%.1f", r.Goodput), fmt.Sprint(r.Shed), r.P99.String(), percent(r.WorkSlower, 1)})
		if math.Abs(r.WorkSlower) > maxOff {
			step.Doubt("work that %s at %gx took %.0f%% longer than it does alone, want within %.0f%%; the machine is too busy",
				r.Policy, r.Multiple, 100*r.WorkSlower, 100*maxOff)
		}
	}
	step.Print(lab.Table(table))

	idle, half, full, double := waiting[2].Processor, burning[0].Processor, burning[1].Processor, burning[2].Processor
	step.Add("work that waits, processor at 2x", idle <= 0.1, percent(idle, 1), "at most 10%, as if it were idle")
	step.Add("work that burns, processor at 0.5x", half >= 0.35 && half <= 0.7, percent(half, 1), "35% to 70%")
	step.Add("work that burns, processor at 1x and 2x", min(full, double) >= 0.8,
		percent(full, 1)+" and "+percent(double, 1), "at least 80%")
	return step.End(ctx, "make report")
}

// measure does work under half the load that can be served, all of it, and twice as much.
func (b burner) measure(ctx context.Context, name string, work func(context.Context) error) (rows []burnRow, err error) {
	for _, multiple := range []float64{0.5, 1, 2} {
		gate, err := lab.NewController(b.limits)
		if err != nil {
			return nil, err
		}
		var pace pace
		load := b.load
		load.Rate *= multiple
		start, before := time.Now(), processorTime()
		samples, err := load.Run(ctx, func(ctx context.Context) error {
			return gate.Do(ctx, func() error {
				return pace.of(b.serviceTime, func() error { return work(ctx) })
			})
		})
		if err != nil {
			return nil, err
		}
		used := (processorTime() - before).Seconds() / time.Since(start).Seconds() / float64(b.slots)
		s := lab.Summarize(name, load, 0, samples)
		s.WorkSlower = pace.slower()
		rows = append(rows, burnRow{s, multiple, used})
	}
	return rows, nil
}
