package main

import (
	"errors"
	"fmt"
	"math"
	"time"

	"example.com/sheddinglab/lab"
)

// A result is what came of a trial.
type result struct {
	Day string `json:"day"`
	lab.Summary
	Delivered float64 `json:"delivered_rps"` // answers in time after the warm-up and before the load ended
	lab.DeadlineStats

	// Of each request, from the start of the run, or 0.
	reached []time.Duration // when it came through the gateway
	began   []time.Duration // when its work began
	samples []lab.Sample
}

// table has a line for each policy of the day.
func (d *day) table(results []result) string {
	rows := [][]string{{"policy", "goodput/s*", "ok", "shed", "timeout", "p50 ms", "p99 ms", "wasted", "peak line"}}
	for _, r := range results {
		rows = append(rows, []string{r.Policy, fmt.Sprintf("%.1f", r.Delivered), fmt.Sprint(r.OK), fmt.Sprint(r.Shed),
			fmt.Sprint(r.Timeout), r.P50.String(), r.P99.String(), fmt.Sprint(r.Wasted), fmt.Sprint(r.PeakLine)})
	}
	return fmt.Sprintf("%s: %s\n%s", d.name, d.about, lab.Table(rows))
}

// refusals says in one line why the gate turned requests away, and what it told them.
func (r result) refusals() string {
	least, most := math.MaxInt, 0
	for _, s := range r.samples {
		if shed, ok := errors.AsType[*lab.Overloaded](s.Err); ok {
			seconds := max(1, int(math.Ceil(shed.RetryAfter.Seconds()))) // as in the header
			least, most = min(least, seconds), max(most, seconds)
		}
	}
	return fmt.Sprintf("%s: %d would_be_late, Retry-After %d to %d s; %d came after their deadline\n",
		r.Policy, r.WouldBeLate, min(least, most), most, r.DeadlinePassed)
}

func lateness(results []result) string {
	var runs []lab.Summary
	for _, r := range results {
		runs = append(runs, r.Summary)
	}
	return lab.Lateness(runs...)
}
