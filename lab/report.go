package lab

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Print shows a table, which JSON has as rows.
func (s *Step) Print(table string) {
	if !s.asJSON {
		fmt.Fprintln(s.stdout, table)
	}
}

// Printf shows a paragraph, which is a note in JSON.
func (s *Step) Printf(format string, args ...any) {
	note := fmt.Sprintf(format, args...)
	s.notes = append(s.notes, note)
	if !s.asJSON {
		fmt.Fprintln(s.stdout, Wrap(note, 0)+"\n")
	}
}

// Row adds a row to the JSON document.
func (s *Step) Row(row any) { s.rows = append(s.rows, row) }

// KeyFigure is what to remember of this run, in a few words.
func (s *Step) KeyFigure(format string, args ...any) { s.keyFigure = fmt.Sprintf(format, args...) }

// Table prints the table of the runs, and how late their sends were.
func (s *Step) Table(runs ...Summary) {
	s.Print(SummaryTable(runs...) + Lateness(runs...))
}

// Lateness is the line under a table that says how late the sends of the runs
// were, and how slow the work.
func Lateness(runs ...Summary) string {
	var p99, worst Millis
	var slower float64
	for _, r := range runs {
		if r.Offered == r.NotSent {
			continue // cut short before the first
		}
		p99, worst, slower = max(p99, r.LateP99), max(worst, r.LateMax), max(slower, r.WorkSlower)
	}
	return fmt.Sprintf("sent late: p99 %.1f ms, worst %.1f ms; work slower than asked: %.1f%%\n",
		float64(p99), float64(worst), 100*slower)
}

// End prints the checks, the verdict and the next command. It returns nil if
// every claim holds, and otherwise [ErrDoesNotHold], [ErrInconclusive], or
// [ErrInterrupted] if ctx has ended.
func (s *Step) End(ctx context.Context, next string) error {
	if ctx.Err() != nil {
		s.Doubt("the run was cut short")
	}
	checks, verdict := s.Results()
	var outcome error
	switch {
	case ctx.Err() != nil:
		s.keyFigure = ""
		outcome, next = ErrInterrupted, "run this step again, to its end"
	case verdict == Inconclusive:
		outcome, next = ErrInconclusive, "run this step with other flags, for the reason above"
		if s.busy {
			next = "run this step again, when the machine has less to do"
		}
	case verdict == DoesNotHold:
		outcome = ErrDoesNotHold
		next = "compare the parameters with the defaults (-h), then read steps/" + s.dirName() + "/main.go"
	}
	if err := s.report(checks, verdict, ctx.Err() == nil, next); err != nil {
		return err
	}
	return outcome
}

// EndWithCapacity is End for the step that measures the capacity: unless ctx has
// ended, it keeps the figure for the later steps, together with the verdict.
func (s *Step) EndWithCapacity(ctx context.Context, slots int, serviceTime time.Duration, perSecond float64, next string) error {
	var failed error
	if ctx.Err() == nil {
		_, verdict := s.Results()
		c := Capacity{
			PerSecond:     math.Round(perSecond*10) / 10, // as it is shown
			Slots:         slots,
			ServiceTimeMS: float64(ToMillis(serviceTime)),
			Verdict:       verdict,
		}
		if failed = c.Save(s.dir); failed == nil {
			doubted := ""
			if verdict != Holds {
				doubted = " They will say that they doubt it."
			}
			s.Printf("Kept for the later steps in %s: %v/s.%s", capacityFile(s.dir), c.PerSecond, doubted)
		}
	}
	err := s.End(ctx, next)
	if failed != nil {
		return usagef("the capacity above could not be kept in -out %s: %w", s.dir, failed)
	}
	return err
}

func (s *Step) report(checks []Check, verdict Verdict, complete bool, next string) error {
	document, err := s.document(checks, verdict, complete).encode()
	if err != nil {
		return err
	}
	if err := keep(s.documentFile(), document); err != nil {
		fmt.Fprintf(s.stderr, "%s: the report will not show this run, which could not be kept: %v\n", s.dirName(), err)
	}
	if s.asJSON {
		_, err := s.stdout.Write(document)
		return err
	}
	heading := "Checks before moving on:"
	if s.onlyFindings() {
		heading = "Findings:"
	}
	fmt.Fprintf(s.stdout, "%s\n%s\n", heading, &s.Checks)
	fmt.Fprintf(s.stdout, "verdict: %s\n", verdict)
	if s.keyFigure != "" {
		fmt.Fprintln(s.stdout, Wrap("figure:  "+s.keyFigure, 9))
	}
	_, err = fmt.Fprintln(s.stdout, Wrap("next:    "+next, 9))
	return err
}
