package broken

import (
	"context"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// CheckThenAdd compares the line with its limit in one step and joins it in
// another.
//
// Both steps are atomic, and so the race detector is content. Together they are
// not: a burst passes the check as one before the first of it is counted.
func CheckThenAdd(l lab.Limits) (labtest.Controller, error) { return assemble(l, checkThenAdd) }

func checkThenAdd(ctx context.Context, p *parts) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	if p.maxWait == 0 && p.line.places > 0 {
		return p.waitedTooLong
	}
	if p.line.length.Load() >= p.line.places {
		return p.lineFull
	}
	time.Sleep(time.Microsecond) // stands for the look-up that was here
	// MISTAKE: the line may have filled up since the check
	p.line.raisePeak(p.line.length.Add(1))
	defer p.line.leave()
	return p.wait(ctx)
}
