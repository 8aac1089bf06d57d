package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

const (
	atOnce    = 8                      // checks
	eachTakes = 180 * time.Millisecond // about, for all checks of one controller

	// The checks expect within 400 ms what should happen at once. A machine that is
	// late by a quarter of it with a short sleep is too busy for a verdict.
	maxLate = 100 * time.Millisecond
)

// A kitRow is what the kit finds in one controller.
type kitRow struct {
	Table        string   `json:"table"`
	Controller   string   `json:"controller"`
	Mistake      string   `json:"mistake"`
	Graph        string   `json:"graph,omitempty"`
	CaughtBy     []string `json:"caught_by"`   // behaviours
	NotChecked   int      `json:"not_checked"` // further behaviours
	Explanations []string `json:"explanations,omitempty"`
}

func newKitRow(m broken.Matrix, c int) kitRow {
	v := m.Controllers[c]
	r := kitRow{Table: "matrix", Controller: v.Name, Mistake: v.Mistake, Graph: v.Graph, CaughtBy: []string{}}
	for _, b := range m.Caught(c) {
		r.CaughtBy = append(r.CaughtBy, b.String())
	}
	for _, err := range m.Failures[c] {
		if err == broken.ErrNotChecked {
			r.NotChecked++
		}
	}
	return r
}

// examine holds every controller against every behaviour of the kit, some of the
// checks side by side. When ctx ends it begins no more of them. It returns what it
// found, and in words how late the machine was.
func examine(ctx context.Context, step *lab.Step, controllers []broken.Variant) (m broken.Matrix, lateness string) {
	stopProgress := step.Progress(eachTakes * time.Duration(len(controllers)))
	late := lab.WatchSleeps()
	m = broken.Matrix{Controllers: controllers, Behaviours: labtest.Behaviours()}
	places := make(chan struct{}, atOnce)
	var checks sync.WaitGroup
	for _, c := range controllers {
		row := make([]error, len(m.Behaviours))
		m.Failures = append(m.Failures, row)
		for i, b := range m.Behaviours {
			places <- struct{}{}
			checks.Go(func() {
				defer func() { <-places }()
				row[i] = broken.ErrNotChecked
				if ctx.Err() == nil {
					row[i] = b.Check(c.New)
				}
			})
		}
	}
	checks.Wait()
	stopProgress()
	_, worst := late()
	return m, examineSleeps(step, worst)
}

// examineSleeps says how late sleeps were while the checks ran, and adds a doubt if
// the machine is too busy for them.
func examineSleeps(step *lab.Step, worst lab.Millis) string {
	step.Row(map[string]any{"table": "sleeps", "checks_at_once": atOnce, "late_max_ms": worst})
	if worst > lab.ToMillis(maxLate) {
		step.Busy("a sleep ended %.1f ms late, want at most %s ms", float64(worst), lab.ToMillis(maxLate))
	}
	return fmt.Sprintf("The checks ran %d at a time; a sleep of 1 ms ended at most %.1f ms late.\n", atOnce, float64(worst))
}

// report shows the matrix, whose first controller is the correct one, and checks
// that nobody is without a mark but that one. What was not checked is no evidence.
func report(step *lab.Step, m broken.Matrix, late string) {
	step.Print(m.String() + late)
	var uncaught, useless []string
	for c := range m.Controllers {
		r := newKitRow(m, c)
		step.Row(r)
		if c > 0 && len(r.CaughtBy) == 0 && r.NotChecked == 0 {
			uncaught = append(uncaught, r.Controller)
		}
	}
	for b, behaviour := range m.Behaviours {
		notChecked := func(failures []error) bool { return failures[b] == broken.ErrNotChecked }
		if len(m.Catches(b)) == 0 && !slices.ContainsFunc(m.Failures, notChecked) {
			useless = append(useless, fmt.Sprint(behaviour.Number))
		}
	}
	step.Add("broken controllers that nothing catches", len(uncaught) == 0, list(uncaught), "none")
	step.Add("behaviours that catch nobody", len(useless) == 0, list(useless), "none")
	checkCaught(step, m, false)
	step.KeyFigure("%d broken controllers, %d of them not caught", len(m.Controllers)-1, len(uncaught))
}

// explain reports what the kit finds in one controller, in the kit's own words.
func explain(ctx context.Context, step *lab.Step, v broken.Variant, isBroken bool) error {
	step.Printf("%s: %s.", v.Name, v.Mistake)
	if isBroken {
		step.Printf("What a graph would have shown: %s.", v.Graph)
	}
	m, late := examine(ctx, step, []broken.Variant{v})
	step.Print(late)
	row := newKitRow(m, 0)
	for _, err := range m.Failures[0] {
		if err != nil && err != broken.ErrNotChecked {
			step.Print(err.Error() + "\n")
			row.Explanations = append(row.Explanations, err.Error())
		}
	}
	step.Row(row)
	checkCaught(step, m, isBroken)
	return step.End(ctx, "make step-9")
}

// checkCaught claims that the first controller of m is caught, or is not.
func checkCaught(step *lab.Step, m broken.Matrix, wanted bool) {
	var by []string
	for _, b := range m.Caught(0) {
		by = append(by, fmt.Sprint(b.Number))
	}
	want := "none"
	if wanted {
		want = "at least one"
	}
	step.Add("behaviours that catch "+m.Controllers[0].Name, (len(by) > 0) == wanted, list(by), want)
}

// list is names with commas between them.
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
