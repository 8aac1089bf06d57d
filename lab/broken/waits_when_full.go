package broken

import (
	"context"
	"math"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// WaitsWhenFull waits for a place in line when the line is full.
//
// The places are a buffered channel, which is a good idea; the send into it has
// no default. So there is a line in front of the line, which has no limit and
// shows in no counter.
func WaitsWhenFull(l lab.Limits) (labtest.Controller, error) {
	length := l.MaxWaiting
	if length == lab.NoLimit {
		length = math.MaxInt
	}
	places := make(chan struct{}, max(0, length)) // assemble refuses what is below 0
	return assemble(l, func(ctx context.Context, p *parts) error {
		return waitsWhenFull(ctx, p, places)
	})
}

func waitsWhenFull(ctx context.Context, p *parts, places chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	if p.maxWait == 0 && p.line.places > 0 {
		return p.waitedTooLong
	}
	select {
	case places <- struct{}{}: // MISTAKE: it blocks; a default must refuse at once
		defer func() { <-places }()
	case <-p.limit():
		return p.lineFull
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := p.join(); err != nil {
		return err
	}
	defer p.line.leave()
	return p.wait(ctx)
}
