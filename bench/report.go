package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"example.com/sheddinglab/bench/question"
	"example.com/sheddinglab/lab"
)

// report prints the table and the targets of a question, and returns how many of
// the targets were missed.
func report(w io.Writer, q question.Question, m *measurements) (missed int, err error) {
	var text strings.Builder
	fmt.Fprintln(&text, lab.Wrap(fmt.Sprintf("%s: %s", q.Name, q.Ask), 0))
	switch {
	case m.rounds < q.Rounds:
		fmt.Fprintf(&text, "cut short after %d of %d rounds; medians\n", m.rounds, q.Rounds)
	case m.rounds > 1:
		fmt.Fprintf(&text, "%d rounds of %s each; medians\n", m.rounds, q.Benchtime)
	}
	fmt.Fprintln(&text)
	fmt.Fprintln(&text, table(q, m))
	for _, t := range q.Targets {
		verdict, line := judge(t, m)
		if verdict == "missed" {
			missed++
		}
		fmt.Fprintf(&text, "%-13s %s\n", verdict, line)
	}
	if len(q.Targets) > 0 {
		fmt.Fprintln(&text)
	}
	_, err = io.WriteString(w, text.String())
	return missed, err
}

// table has a line for each peer of each scenario. The spread belongs to the first
// unit, as the ratio does; one round has none.
func table(q question.Question, m *measurements) string {
	scenarioWidth := len("scenario")
	for _, b := range m.benchmarks {
		scenarioWidth = max(scenarioWidth, len(b.scenario))
	}
	first := func(scenario, peer string) string { return fmt.Sprintf("%-*s  %s", scenarioWidth, scenario, peer) }

	heading := []string{first("scenario", "peer"), "ratio"}
	for i, unit := range q.Units {
		heading = append(heading, unit)
		if i == 0 && m.rounds > 1 {
			heading = append(heading, "spread")
		}
	}
	rows := [][]string{heading}
	last := ""
	for _, b := range m.benchmarks {
		scenario := b.scenario
		if scenario == last {
			scenario = ""
		}
		last = b.scenario
		of := m.of(b, q.Units[0])
		base := m.of(benchmark{b.scenario, m.base(b.scenario, q.Base)}, q.Units[0])
		row := []string{first(scenario, b.peer), formatRatio(median(byRound(of, base, divide)))}
		for i, unit := range q.Units {
			row = append(row, format(median(m.of(b, unit))))
			if i == 0 && m.rounds > 1 {
				row = append(row, formatPercent(spread(of)))
			}
		}
		rows = append(rows, row)
	}
	return lab.Table(rows)
}

// judge says whether a target is met, and what was measured.
func judge(t question.Target, m *measurements) (verdict, line string) {
	values := m.of(benchmark{t.Scenario, t.Peer}, t.Unit)
	what := fmt.Sprintf("%s: %s", t.Scenario, t.Peer)
	unit := " " + t.Unit
	switch {
	case t.Over != "":
		values = byRound(values, m.of(benchmark{t.Scenario, t.Over}, t.Unit), divide)
		what += " / " + t.Over
		unit = " of " + t.Unit
	case t.Minus != "":
		values = byRound(values, m.of(benchmark{t.Scenario, t.Minus}, t.Unit), subtract)
		what += " - " + t.Minus
	}
	got := median(values)
	bound, met := fmt.Sprintf("at most %g", t.AtMost), got <= t.AtMost
	if t.AtLeast != 0 {
		bound, met = fmt.Sprintf("at least %g", t.AtLeast), got >= t.AtLeast
	}
	switch {
	case math.IsNaN(got):
		verdict = "not measured"
	case met:
		verdict = "met"
	default:
		verdict = "missed"
	}
	return verdict, fmt.Sprintf("%s is %s%s (want %s)", what, format(got), unit, bound)
}

// format prints a value with three digits, or more if there are more before the
// point, and a whole number as one; - stands for no number.
func format(x float64) string {
	switch size := math.Abs(x); {
	case math.IsNaN(x), math.IsInf(x, 0):
		return "-"
	case x == math.Trunc(x), size >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case size >= 9.995:
		return fmt.Sprintf("%.1f", x)
	default:
		return fmt.Sprintf("%.2f", x)
	}
}

func formatRatio(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

func formatPercent(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*x)
}
