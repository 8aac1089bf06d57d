package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// NoWaitLimit bounds the line, but not the wait.
//
// "The line is short, so the wait is short", until the work behind it becomes
// slower: the wait is the length of the line times the time between two slots.
func NoWaitLimit(l lab.Limits) (labtest.Controller, error) { return assemble(l, noWaitLimit) }

func noWaitLimit(ctx context.Context, p *parts) error {
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

	select { // MISTAKE: there is no case for the wait limit
	case p.slots <- struct{}{}:
		return p.keep(ctx, nil)
	case <-ctx.Done():
		return ctx.Err()
	}
}
