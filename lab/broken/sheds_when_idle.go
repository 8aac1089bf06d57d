package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// ShedsWhenIdle joins the line before it looks for a free slot.
//
// It is the simplest way to write it, and right as long as there is a line. With
// MaxWaiting 0 nobody gets past the line, and an idle service refuses everybody.
func ShedsWhenIdle(l lab.Limits) (labtest.Controller, error) { return assemble(l, shedsWhenIdle) }

func shedsWhenIdle(ctx context.Context, p *parts) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.join(); err != nil { // MISTAKE: the line is for those who found no free slot
		return err
	}
	defer p.line.leave()
	if p.trySlot() {
		return nil
	}
	return p.wait(ctx)
}
