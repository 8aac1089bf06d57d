package broken

import (
	"context"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// ShareThenAdd looks whether the line is shorter than the share, and then joins it
// up to its end.
//
// The line itself is never too long. Only its last places are not kept: a burst of
// batch work passes the look as one.
func ShareThenAdd(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
	return assembleClasses(l, s, shareThenAdd)
}

func shareThenAdd(ctx context.Context, p *classParts, class lab.Criticality) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	if p.line.length.Load() >= int64(p.shares[class]) {
		return p.lineFull
	}
	time.Sleep(time.Microsecond) // stands for the look-up that was here
	if !p.line.join() {          // MISTAKE: the line may have grown beyond the share since the look
		return p.lineFull
	}
	defer p.line.leave()
	return p.wait(ctx)
}
