package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// DeadCaller leaves it to a select whether a slot or the end of the context
// comes first.
//
// It reads as if a request that is already done could not get through. But a
// select with two ready cases picks one at random: every other dead request is
// worked on, for nobody.
func DeadCaller(l lab.Limits) (labtest.Controller, error) { return assemble(l, deadCaller) }

func deadCaller(ctx context.Context, p *parts) error {
	select {
	case p.slots <- struct{}{}: // MISTAKE: ctx.Err() must be looked at before
		return nil
	case <-ctx.Done():
		return ctx.Err()
	default:
	}
	if err := p.join(); err != nil {
		return err
	}
	defer p.line.leave()
	return p.wait(ctx)
}
