package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// CountsOwnClass has a line for each class, as long as its share, besides the one
// that all of them stand in.
//
// Each class is bounded. But however long the line is already, a class that has no
// part in it takes the next place, which was kept for a more important one.
func CountsOwnClass(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
	return assembleClasses(l, s, countsOwnClass)
}

func countsOwnClass(ctx context.Context, p *classParts, class lab.Criticality) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	own := &p.each[class].line
	if !own.joinUpTo(p.shares[class]) { // MISTAKE: the others in line are not in it
		return p.lineFull
	}
	defer own.leave()
	if !p.line.join() {
		return p.lineFull
	}
	defer p.line.leave()
	return p.wait(ctx)
}
