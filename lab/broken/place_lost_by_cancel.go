package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// PlaceLostByCancel leaves the line in each case of its select but one.
//
// Timeouts were tested. Clients that hang up were not, and they keep their
// place.
func PlaceLostByCancel(l lab.Limits) (labtest.Controller, error) {
	return assemble(l, placeLostByCancel)
}

func placeLostByCancel(ctx context.Context, p *parts) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	if err := p.join(); err != nil {
		return err
	}
	limit := p.limit()
	select {
	case p.slots <- struct{}{}:
		p.line.leave()
		return p.keep(ctx, limit)
	case <-limit:
		p.line.leave()
		return p.waitedTooLong
	case <-ctx.Done():
		return ctx.Err() // MISTAKE: the place in line is not given back
	}
}
