package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A table is what is shown of a step that has no picture.
type table struct {
	Head []string
	Rows [][]string
}

// A column is a key of the rows, under a heading.
type column struct{ heading, key string }

// tabled is the table for a document, and nil if it has a picture.
func tabled(d *Document, mode string) (*table, error) {
	var columns []column
	switch {
	case d.Step == 1:
		columns = []column{{"what is counted", "count"}, {"finished", "finished"}, {"seconds", "seconds"}, {"per second", "rate_rps"}}
	case d.Step == 8:
		columns = []column{{"controller", "controller"}, {"mistake", "mistake"}, {"caught by", "caught_by"}}
	case d.Step == 9 && mode == "tune":
		columns = []column{{"limit", "policy"}, {"goodput/s", "steady_goodput_rps"}, {"p99 ms", "p99_ms"}, {"timed out", "timeout"},
			{"refused", "shed"}, {"peak line", "peak_line"}}
	case d.Step == 9 && mode == "far":
		columns = []column{{"load", "multiple"}, {"asked/s", "asked_rps"}, {"sent/s", "sent_rps"}, {"goodput/s", "steady_goodput_rps"},
			{"refused/s", "refused_rps"}, {"p99 ms", "p99_ms"}, {"bound by", "bound_by"}}
	default:
		return nil, fmt.Errorf("no picture and no table of step %d, %q", d.Step, mode)
	}
	list, err := rows[map[string]any](d)
	if err != nil {
		return nil, err
	}
	t := &table{}
	for _, c := range columns {
		t.Head = append(t.Head, c.heading)
	}
	for _, row := range list {
		if kind, ok := row["table"]; ok && kind != "matrix" {
			continue // step 8 has tables of three kinds, and this is the one to keep
		}
		var cells []string
		for _, c := range columns {
			cells = append(cells, cell(row[c.key]))
		}
		t.Rows = append(t.Rows, cells)
	}
	if len(t.Rows) == 0 {
		return nil, errNothing
	}
	return t, nil
}

// cell is a value as a reader would write it.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case float64:
		return short(v)
	case string:
		return v
	case []any: // of behaviours, which begin with their number
		var numbers []string
		for _, name := range v {
			number, _, _ := strings.Cut(cell(name), " ")
			numbers = append(numbers, number)
		}
		if len(numbers) == 0 {
			return "none"
		}
		return strings.Join(numbers, ", ")
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "-"
	}
	return string(text)
}
