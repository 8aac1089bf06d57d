package lab

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

const screen = 80 // columns

// Table sets rows in aligned columns, the first one flush left and the others
// flush right. The columns stand two spaces apart, or one if the table would be
// wider than 80 columns otherwise. The first row is the heading.
func Table(rows [][]string) string {
	table := align(rows, 2)
	for line := range strings.Lines(table) {
		if len(line) > screen+len("\n") {
			return align(rows, 1)
		}
	}
	return table
}

func align(rows [][]string, gap int) string {
	var aligned strings.Builder
	w := tabwriter.NewWriter(&aligned, 0, 0, gap, ' ', tabwriter.AlignRight)
	first := 0
	for _, row := range rows {
		first = max(first, len(row[0]))
	}
	for _, row := range rows {
		// The writer aligns every column right; padded to its full width, the
		// first one stands left.
		fmt.Fprintf(w, "%-*s\t%s\t\n", first, row[0], strings.Join(row[1:], "\t"))
	}
	w.Flush()
	var table strings.Builder
	for line := range strings.Lines(aligned.String()) {
		line = line[gap:] // before the first column
		fmt.Fprintln(&table, strings.TrimRight(line, " \n"))
	}
	return table.String()
}

// SummaryTable has a line for each run. The columns error, not sent and late
// are there only when one of the runs has any, so that an ordinary table is no
// wider than 80 columns.
func SummaryTable(runs ...Summary) string {
	columns := []struct {
		heading string
		always  bool
		cell    func(Summary) any
	}{
		{"policy", true, func(s Summary) any { return s.Policy }},
		{"goodput/s", true, func(s Summary) any { return fmt.Sprintf("%.1f", s.Goodput) }},
		{"ok", true, func(s Summary) any { return s.OK }},
		{"shed", true, func(s Summary) any { return s.Shed }},
		{"timeout", true, func(s Summary) any { return s.Timeout }},
		{"error", false, func(s Summary) any { return s.Failed }},
		{"not sent", false, func(s Summary) any { return s.NotSent }},
		{"p50 ms", true, func(s Summary) any { return s.P50 }},
		{"p99 ms", true, func(s Summary) any { return s.P99 }},
		{"wasted", true, func(s Summary) any { return s.Wasted }},
		{"peak line", true, func(s Summary) any { return s.PeakLine }},
		{"late", false, func(s Summary) any { return s.Late }},
	}
	rows := make([][]string, 1+len(runs))
	for _, c := range columns {
		show := c.always
		for _, s := range runs {
			show = show || c.cell(s) != 0
		}
		if !show {
			continue
		}
		rows[0] = append(rows[0], c.heading)
		for i, s := range runs {
			rows[1+i] = append(rows[1+i], fmt.Sprint(c.cell(s)))
		}
	}
	return Table(rows)
}

// SecondsTable shows what became of the requests due in each second of a run,
// with a bar for those answered in time.
func SecondsTable(s Summary) string {
	const width = 40
	most := 1
	for _, x := range s.BySecond {
		most = max(most, x.Arrived)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%s, by the second in which the request was due:\n", s.Policy)
	fmt.Fprintln(&table, "second  arrived  answered in time")
	for _, x := range s.BySecond {
		bar := strings.Repeat("#", (x.OK*width+most-1)/most)
		line := fmt.Sprintf("%6d  %7d  %16d  %s", x.Second, x.Arrived, x.OK, bar)
		fmt.Fprintln(&table, strings.TrimRight(line, " "))
	}
	return table.String()
}

// Wrap breaks text at its spaces into lines of at most 80 columns, all but the
// first of them indented.
func Wrap(text string, indent int) string {
	var lines strings.Builder
	column := 0
	for i, word := range strings.Split(text, " ") {
		switch {
		case i == 0:
		case column+1+len(word) > screen:
			lines.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			lines.WriteByte(' ')
			column++
		}
		lines.WriteString(word)
		column += len(word)
	}
	return lines.String()
}
