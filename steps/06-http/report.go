package main

import (
	"fmt"
	"strings"

	"example.com/sheddinglab/lab"
)

// A row is what became of the load at one server.
type row struct {
	lab.Summary
	Health  lab.Millis   `json:"health_worst_ms"` // the slowest answer of /health during the run
	Refusal *lab.Refusal `json:"refusal"`         // the first one that a client saw
}

// report prints the table, and what those who are refused get.
func report(step *lab.Step, rows []row) {
	table := [][]string{{"policy", "goodput/s*", "ok", "shed", "timeout", "work", "wasted", "peak line", "/health ms"}}
	var refusals strings.Builder
	var runs []lab.Summary
	for _, r := range rows {
		table = append(table, []string{r.Policy, fmt.Sprintf("%.1f", r.Steady), fmt.Sprint(r.OK), fmt.Sprint(r.Shed),
			fmt.Sprint(r.Timeout), fmt.Sprint(r.Work), fmt.Sprint(r.Wasted), fmt.Sprint(r.PeakLine), r.Health.String()})
		fmt.Fprintf(&refusals, "%-19s %s\n", r.Policy, describe(r.Refusal))
		if r.Refusal != nil {
			fmt.Fprintf(&refusals, "%19s %.60s\n", "", strings.TrimSpace(r.Refusal.Body))
		}
		runs = append(runs, r.Summary)
		step.Row(r)
	}
	step.Print(lab.Table(table) + "* of the requests due after the warm-up\n" + lab.Lateness(runs...))
	step.Print("What the first client who is refused gets:\n" + refusals.String())
}

func describe(r *lab.Refusal) string {
	if r == nil {
		return "nobody is refused"
	}
	return fmt.Sprintf("%d, Retry-After %q, %s", r.Status, r.RetryAfter, r.ContentType)
}
