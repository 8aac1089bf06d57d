// Lab runs all steps in order and ends with a scoreboard: for each the question, the
// verdict, the time it took and the figure to remember.
//
//	make lab
//	make lab ARGS="-multiple 3"    # passed on to every step that has the flag
//
// It runs the programs that lie beside it (make build puts them there). What a step
// prints goes to a file in -out. No step keeps the later ones from running.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if slices.ContainsFunc(args, func(arg string) bool {
		return strings.TrimLeft(arg, "-") == "h" || strings.TrimLeft(arg, "-") == "help"
	}) {
		fmt.Fprintln(stdout, "Runs all steps in order and keeps what they print in out/. A flag is passed on to\n"+
			"every step that has it; -h of a step, as in make step-3 ARGS=-h, lists them.")
		return flag.ErrHelp
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return runSteps(ctx, filepath.Dir(self), "out", args, stdout, stderr)
}

// runSteps runs the steps in the directory bin, and keeps their output in out.
func runSteps(ctx context.Context, bin, out string, args []string, stdout, stderr io.Writer) error {
	steps, err := findSteps(bin)
	if err != nil {
		return err
	}
	notes, err := passOn(args, steps)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return lab.Usage(err)
	}
	start := time.Now()
	var results []result
	for _, s := range steps {
		stopProgress := lab.ProgressLine(stderr, func(passed time.Duration) string {
			return fmt.Sprintf("step %d of %d, %s: %.1f s", s.number, len(steps), s.name, passed.Seconds())
		})
		r := s.run(ctx, out)
		stopProgress()
		results = append(results, r)
		fmt.Fprint(stdout, r)
		if ctx.Err() != nil {
			break
		}
	}
	for _, note := range notes {
		fmt.Fprintln(stdout, lab.Wrap(note, 0))
	}
	return conclude(ctx, stdout, args, results, len(steps), time.Since(start))
}

// conclude prints the verdict on all steps and what to do next, and returns what
// that means for the exit status.
func conclude(ctx context.Context, stdout io.Writer, args []string, results []result, steps int, took time.Duration) error {
	with := func(verdicts ...lab.Verdict) (numbers []string) {
		for _, r := range results {
			if slices.Contains(verdicts, r.verdict) {
				numbers = append(numbers, fmt.Sprint(r.step.number))
			}
		}
		return numbers
	}
	wrong, unsure := with(lab.DoesNotHold, failed, badUsage), with(lab.Inconclusive)
	again := func(step string) string {
		next := "make step-" + step
		if len(args) > 0 {
			next += fmt.Sprintf(" ARGS=%q", strings.Join(args, " "))
		}
		return next
	}
	var verdict, next string
	var outcome error
	switch {
	case ctx.Err() != nil:
		verdict, next, outcome = fmt.Sprintf("cut short in step %d of %d", len(results), steps), "make lab", lab.ErrInterrupted
	case len(wrong) > 0:
		verdict = "does not hold in step " + strings.Join(wrong, ", ")
		next, outcome = again(wrong[0]), lab.ErrDoesNotHold
	case len(unsure) > 0:
		verdict = "inconclusive in step " + strings.Join(unsure, ", ")
		next, outcome = again(unsure[0]), lab.ErrInconclusive
	default:
		verdict = fmt.Sprintf("every claim of %d steps holds", steps)
		next = "make report    # pictures of these runs\n         make work-3    # the first exercise"
	}
	_, err := fmt.Fprintf(stdout, "\nverdict: %s, after %.0f s\nnext:    %s\n", verdict, took.Seconds(), next)
	return errors.Join(outcome, err)
}
