package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"example.com/sheddinglab/lab"
)

// printRows prints the table of the loads. Columns that would be empty are left out.
func printRows(step *lab.Step, rows []urlRow) {
	columns := []struct {
		heading string
		always  bool
		cell    func(urlRow) any
	}{
		{"load", true, func(r urlRow) any { return r.Policy }},
		{"per s", true, func(r urlRow) any { return fmt.Sprintf("%.1f", r.Rate) }},
		{"goodput/s", true, func(r urlRow) any { return fmt.Sprintf("%.1f", r.Goodput) }},
		{"ok", true, func(r urlRow) any { return r.OK }},
		{"shed", true, func(r urlRow) any { return r.Shed }},
		{"timeout", true, func(r urlRow) any { return r.Timeout }},
		{"error", false, func(r urlRow) any { return r.Failed }},
		{"not sent", false, func(r urlRow) any { return r.NotSent }},
		{"p50 ms", true, func(r urlRow) any { return r.P50 }},
		{"p99 ms", true, func(r urlRow) any { return r.P99 }},
		{"shed p99 ms", true, func(r urlRow) any { return r.ShedP99 }},
	}
	table := make([][]string, 1+len(rows))
	for _, c := range columns {
		show := c.always
		for _, r := range rows {
			show = show || c.cell(r) != 0
		}
		if !show {
			continue
		}
		table[0] = append(table[0], c.heading)
		for i, r := range rows {
			table[1+i] = append(table[1+i], fmt.Sprint(c.cell(r)))
		}
	}
	if len(rows) > 0 {
		step.Print(lab.Table(table))
	}
}

// lateness says how late the sends were.
func lateness(rows []urlRow) string {
	p99, worst := lab.Millis(0), lab.Millis(0)
	for _, r := range rows {
		p99, worst = max(p99, r.LateP99), max(worst, r.LateMax)
	}
	return fmt.Sprintf("Sent late: p99 %.1f ms, worst %.1f ms.", float64(p99), float64(worst))
}

// writeCSV writes the rows with a heading. A cell about nothing is empty.
func writeCSV(w io.Writer, rows []urlRow) error {
	out := csv.NewWriter(w)
	out.Write([]string{"load", "multiple", "rate_rps", "sent_rps", "offered", "ok", "shed", "timeout", "error", "not_sent",
		"goodput_rps", "p50_ms", "p99_ms", "shed_p99_ms", "shed_with_retry_after", "late_p99_ms"})
	for _, r := range rows {
		cells := []string{r.Policy}
		for _, x := range []float64{r.Multiple, r.Rate, r.SentRate, float64(r.Offered), float64(r.OK), float64(r.Shed),
			float64(r.Timeout), float64(r.Failed), float64(r.NotSent), r.Goodput,
			float64(r.P50), float64(r.P99), float64(r.ShedP99), float64(r.WithRetryAfter), float64(r.LateP99)} {
			cells = append(cells, csvNumber(x))
		}
		out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

func csvNumber(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64)
}
