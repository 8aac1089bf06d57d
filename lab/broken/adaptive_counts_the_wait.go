package broken

import (
	"context"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// CountsTheWait measures from the moment a request comes, and not from when its work
// begins.
//
// Under overload most of that is the wait in line, which says how many come, and
// nothing about how many should be at work.
func CountsTheWait(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
	return assembleAdaptive(l, how, countsTheWait)
}

func countsTheWait(ctx context.Context, p *adaptiveParts, work func() error) error {
	begin := time.Now() // MISTAKE: it still has to wait in line
	return p.gate.Do(ctx, func() error {
		number, failed := p.begin(), true
		defer func() { p.end(begin, number, failed) }()
		err := work()
		failed = err != nil
		return err
	})
}
