package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// FreeSlotLoses lets the wait limit run from the start, and asks for a slot and
// for the limit in one select.
//
// With any wait limit but 0 the slot is ready first. With MaxWait 0 both are
// ready, select picks one at random, and an idle service refuses half of its
// requests.
func FreeSlotLoses(l lab.Limits) (labtest.Controller, error) { return assemble(l, freeSlotLoses) }

func freeSlotLoses(ctx context.Context, p *parts) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	limit := p.limit()
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-limit: // MISTAKE: a free slot must be tried alone, before the limit
		return p.waitedTooLong
	default:
	}
	if err := p.join(); err != nil {
		return err
	}
	defer p.line.leave()
	return p.wait(ctx)
}
