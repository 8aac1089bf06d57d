package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// Leaky gives back a place in line only on the way that gets a slot.
//
// It is one moved line of code away from correct: leave belongs into a defer
// right after join. Tests that never let a wait end pass. In production every
// request that gives up takes its place with it, and after the first bad minute
// the line is full with nobody in it.
func Leaky(l lab.Limits) (labtest.Controller, error) { return assemble(l, leaky) }

func leaky(ctx context.Context, p *parts) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	if err := p.join(); err != nil {
		return err
	}
	if err := p.wait(ctx); err != nil {
		return err
	}
	p.line.leave() // MISTAKE: those that did not get a slot do not come by here
	return nil
}
