package broken

import (
	"context"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// Barging waits by trying again every millisecond or so.
//
// A freed slot is then nobody's until the next try, and a newcomer takes it: the
// busier the service, the longer those in line stand there. The waiting burns
// processor time too.
func Barging(l lab.Limits) (labtest.Controller, error) { return assemble(l, barging) }

func barging(ctx context.Context, p *parts) error {
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

	limit := p.limit()
	for {
		select {
		case <-time.After(937 * time.Microsecond): // odd, so that not all try at once
			if p.trySlot() { // MISTAKE: whoever tries first wins, however long others have waited
				return nil
			}
		case <-limit:
			return p.waitedTooLong
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
