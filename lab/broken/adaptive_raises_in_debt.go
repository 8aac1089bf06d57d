package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// RaisesInDebt frees a slot for each one that the limit is raised by.
//
// If the limit was lowered a moment before, and the slots that this should have cost
// are still busy, there are now more of them at work than the limit was ever at.
func RaisesInDebt(l lab.Limits, most int) (labtest.AdjustableController, error) {
	return assembleAdjustable(l, most, raisesInDebt, giveBack)
}

func raisesInDebt(p *adjustableParts, n int) {
	before := p.limit
	p.limit = min(max(n, 1), cap(p.slots))
	for range p.limit - before {
		if p.heldBack > 0 { // MISTAKE: want more than should be held back
			p.heldBack--
			p.release()
		}
	}
	for ; p.heldBack < p.toHoldBack() && p.trySlot(); p.heldBack++ {
	}
}
