package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// LimitOfZero lets the limit fall to 0.
//
// Then nothing is worked on, and nothing can be learned that would raise it again.
func LimitOfZero(l lab.Limits, most int) (labtest.AdjustableController, error) {
	return assembleAdjustable(l, most, limitOfZero, giveBack)
}

func limitOfZero(p *adjustableParts, n int) {
	p.limit = min(max(n, 0), cap(p.slots)) // MISTAKE: want at least 1
	for ; p.heldBack > p.toHoldBack(); p.heldBack-- {
		p.release()
	}
	for ; p.heldBack < p.toHoldBack() && p.trySlot(); p.heldBack++ {
	}
}
