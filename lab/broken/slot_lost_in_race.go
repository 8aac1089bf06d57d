package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// SlotLostInRace does not hand back a slot that came in the instant its request
// was cancelled.
//
// Whoever wrote it had read that a slot must not go to a dead request, and
// looked once more, which is right. The slot was already taken by then.
func SlotLostInRace(l lab.Limits) (labtest.Controller, error) { return assemble(l, slotLostInRace) }

func slotLostInRace(ctx context.Context, p *parts) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	if err := p.join(); err != nil {
		return err
	}
	defer p.line.leave()

	select {
	case p.slots <- struct{}{}:
		return ctx.Err() // MISTAKE: when this is not nil, nobody releases the slot
	case <-p.limit():
		return p.waitedTooLong
	case <-ctx.Done():
		return ctx.Err()
	}
}
