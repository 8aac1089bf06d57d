package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/sheddinglab/lab"
)

// collapse predicts when a service without limits stops answering in time, under a
// load above its capacity; ok is false for any other load. The line grows by
// multiple - 1 seconds of work in every second. A request due at t waits
// (multiple - 1) t and is then worked on, so the first to lose patience is due at
// (patience - service time) / (multiple - 1).
func collapse(set *lab.Settings, multiple float64) (due time.Duration, ok bool) {
	if multiple <= 1 {
		return 0, false
	}
	return lab.Seconds(max(0, (set.ClientTimeout-set.ServiceTime).Seconds()) / (multiple - 1)), true
}

// A burn is the collapse of a service without limits, predicted and seen. Seen is the
// due instant of the first request from which on none was answered in time, see
// [lab.Summary.Collapse].
type burn struct {
	Predicted *float64 `json:"collapse_predicted_s"` // nil: never
	Seen      *float64 `json:"collapse_seen_s"`      // nil: not before the end
}

func newBurn(set *lab.Settings, multiple float64, run lab.Summary) (b burn) {
	if due, ok := collapse(set, multiple); ok {
		b.Predicted = new(toMillisecond(due))
	}
	if due, ok := run.Collapse(); ok {
		b.Seen = new(toMillisecond(due))
	}
	return b
}

// toMillisecond is d in seconds, rounded to the millisecond.
func toMillisecond(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

func (b burn) predicted() string { return seconds(b.Predicted) }

func (b burn) seen() string {
	if b.Seen == nil && b.Predicted != nil {
		return "after the end"
	}
	return seconds(b.Seen)
}

func seconds(s *float64) string {
	if s != nil && *s >= 100 {
		return orDash("%.0f s", s)
	}
	return orDash("%.2f s", s)
}

// tolerance is how far from the prediction a collapse may be seen: a tenth of it,
// and at least a second.
func (b burn) tolerance() float64 { return max(1, *b.Predicted/10) }

// A heldRow is a row of a load that was held.
type heldRow struct {
	row
	Real float64 `json:"real_multiple"`
}

// newHeldRow predicts from the real load: against the capacity that the service had
// in this run, slots / time its work took. Everything hangs on multiple - 1, so at
// 1.02 times the capacity an error of 1 % in it is one of 50 % in the prediction.
func newHeldRow(set *lab.Settings, multiple float64, r lab.Summary) heldRow {
	took := set.ServiceTime.Seconds() * (1 + r.WorkSlower)
	real := math.Round(1e4*multiple*set.Capacity*took/float64(set.Slots)) / 1e4
	return heldRow{row{r, multiple, newBurn(set, real, r)}, real}
}

// hold keeps loads near the capacity up for as long as -hold says, to see what a
// short test does not.
func hold(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(9, "sweep", "how long does a service without limits bear a little too much?")
	step.Mode("hold")
	set := step.Settings(time.Minute)
	step.Alias("hold", "duration")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	multiples := []float64{0.95, 1, 1.02, 1.05, 1.1}
	var trials []lab.Trial
	for _, x := range multiples {
		trials = append(trials, trial(set, "unprotected", unlimited(set), x))
	}
	runs, err := step.Measure(ctx, trials...)
	if err != nil {
		return err
	}
	rows := make([]heldRow, len(runs))
	for i, r := range runs {
		r.Policy = "unprotected"
		rows[i] = newHeldRow(set, multiples[i], r)
		step.Row(rows[i])
	}
	step.Print(heldTable(set, rows) + lab.Lateness(runs...))
	step.Printf("The real load is against the capacity in this run, slots / time the work took: so near to it, an error of " +
		"1%% moves the collapse by many seconds.")
	step.Printf("At exactly 1x the line does not grow on average, but it never shrinks either: what one stall puts into it " +
		"stays there, and the stalls add up.")

	predicted := false
	for _, r := range rows {
		switch {
		case r.Multiple < 1:
			step.Add(fmt.Sprintf("%gx, answered in time", r.Multiple), r.OK == r.Offered, fmt.Sprintf("%d of %d", r.OK, r.Offered), "all")
		case r.Predicted != nil && *r.Predicted+r.tolerance() <= set.Duration.Seconds():
			predicted = true
			step.Add(fmt.Sprintf("%gx, collapse seen", r.Multiple), r.Seen != nil && math.Abs(*r.Seen-*r.Predicted) <= r.tolerance(),
				r.seen(), fmt.Sprintf("%s +- %.1f s", r.predicted(), r.tolerance()))
		}
	}
	if !predicted {
		step.Doubt("no collapse is predicted within -hold, not even at %gx", multiples[len(multiples)-1])
	}
	last := rows[len(rows)-1]
	step.KeyFigure("at %gx: collapse predicted after %s, seen after %s", last.Multiple, last.predicted(), last.seen())
	return step.End(ctx, "make step-9 ARGS=-tune")
}

// heldTable shows the goodput in each sixth of the time.
func heldTable(set *lab.Settings, rows []heldRow) string {
	const parts = 6
	end := func(part int) time.Duration { return set.Duration * time.Duration(part) / parts }
	heading := []string{"load", "real"}
	for i := range parts {
		heading = append(heading, fmt.Sprintf("%.3g s", end(i+1).Seconds()))
	}
	table := [][]string{append(heading, "predicted", "seen")}
	for _, r := range rows {
		cells := []string{fmt.Sprintf("%gx", r.Multiple), fmt.Sprintf("%.3fx", r.Real)}
		for i := range parts {
			cell := "-" // cut short before
			if arrived, ok := r.Between(end(i), end(i+1)); arrived > 0 {
				cell = fmt.Sprintf("%.1f", r.Multiple*set.Capacity*float64(ok)/float64(arrived))
			}
			cells = append(cells, cell)
		}
		table = append(table, append(cells, r.predicted(), r.seen()))
	}
	return "goodput per second without limits, in each sixth of the time, by its end:\n" + lab.Table(table)
}
