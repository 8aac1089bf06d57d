package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// ShareLost counts the places of a share for itself, and gives one back when a slot
// is got.
//
// It is Leaky once more, and better hidden: the line itself is all right, and only
// one class has less and less of it.
func ShareLost(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
	return assembleClasses(l, s, shareLost)
}

func shareLost(ctx context.Context, p *classParts, class lab.Criticality) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	own := &p.each[class].line
	if !own.joinUpTo(p.shares[class]) {
		return p.lineFull
	}
	if !p.line.joinUpTo(p.shares[class]) {
		own.leave()
		return p.lineFull
	}
	defer p.line.leave()
	if err := p.wait(ctx); err != nil {
		return err
	}
	own.leave() // MISTAKE: those that did not get a slot do not come by here
	return nil
}
