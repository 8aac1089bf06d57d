// Step 8: who notices that a line loses its places?
//
// New against the steps before: a second controller, broken.Leaky, with one line of
// code in the wrong place. As long as nobody gives up it behaves like the correct
// one. But every request that gives up takes its place in line with it, and in the
// end the line is full with nobody in it.
//
// A small scenario shows the leak. Then the kit of package labtest examines that
// controller, and others with one real-life mistake each: a matrix shows which
// behaviour of the kit catches which of them, and what a graph in production would
// have shown. With -controller the kit explains what it finds in one of them.
//
// To let the kit examine a controller of your own, put this into a test:
//
//	func TestMine(t *testing.T) {
//		labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) {
//			return mine.New(l)
//		})
//	}
//
// What it leaves out is load: see step 9.
//
//	make step-8
//	go run ./steps/08-leak -controller Leaky
package main

import (
	"context"
	"io"
	"strings"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return compare(ctx, args, stdout, stderr, newController)
}

func newController(l lab.Limits) (labtest.Controller, error) { return lab.NewController(l) }

func compare(ctx context.Context, args []string, stdout, stderr io.Writer, correct labtest.Constructor) error {
	controllers := append([]broken.Variant{{Name: "Controller", Mistake: "no mistake that we know of", New: correct}}, broken.All...)
	choices := []string{"all"}
	for _, c := range controllers {
		choices = append(choices, c.Name)
	}

	step := lab.NewStep(8, "leak", "who notices that a line loses its places?")
	only := step.Choice("controller", "examine only the controller of this `name` in the matrix, and explain what is found", choices...)
	places := step.Int("line", 2, "places in line, in the scenario")
	maxWait := step.Millis("max-wait", 30*time.Millisecond, "longest wait in line, in the scenario")
	freeAfter := step.Millis("free-after", 10*time.Millisecond, "when the slot is freed, counted from the last request of the scenario")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	for i, c := range controllers {
		if c.Name == *only {
			return explain(ctx, step, c, i > 0)
		}
	}

	if err := tell(ctx, step, scenario{*places, *maxWait, *freeAfter}, correct); err != nil {
		return err
	}
	step.Print("What Leaky changes in the correct func acquire of package broken:\n" +
		strings.Join(broken.LeakyDiff(), "\n") + "\n")
	step.Row(map[string]any{"table": "diff", "lines": broken.LeakyDiff()})

	m, late := examine(ctx, step, controllers)
	report(step, m, late)
	return step.End(ctx, "make step-9")
}
