package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// KeepsSlotsFree compares the share with what runs.
//
// It is meant to keep a place for the more important, and keeps a slot. While they do
// not come, nobody has it, and others are turned away beside it.
func KeepsSlotsFree(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
	return assembleClasses(l, s, keepsSlotsFree)
}

func keepsSlotsFree(ctx context.Context, p *classParts, class lab.Criticality) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(p.slots) > p.shares[class] { // MISTAKE: a share is one of the line
		return p.lineFull
	}
	return acquireAs(ctx, p, class)
}
