package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// WaitsToLower lowers the limit by taking slots as a request would.
//
// Whoever lowers it stands in line behind all those it should have kept out. If that is
// work which has just ended, it waits for itself.
func WaitsToLower(l lab.Limits, most int) (labtest.AdjustableController, error) {
	a, err := assembleAdjustable(l, most, setLimit, func(p *adjustableParts) { p.release() })
	if err != nil {
		return nil, err
	}
	return &waitsToLower{a.(*adjustable)}, nil
}

type waitsToLower struct{ *adjustable }

func (a *waitsToLower) SetLimit(n int) {
	for n < a.Limit() && a.Limit() > 1 {
		a.slots <- struct{}{} // MISTAKE: it waits until somebody is done, behind everybody in line
		a.mu.Lock()
		a.limit, a.heldBack = a.limit-1, a.heldBack+1
		a.mu.Unlock()
	}
	a.adjustable.SetLimit(n)
}
