package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// WakesNobody writes a raised limit down, and lets it take effect when the next slot is
// given back.
//
// As long as work is short nobody notices. With work of a minute those in line wait for
// a minute beside slots that are free.
func WakesNobody(l lab.Limits, most int) (labtest.AdjustableController, error) {
	return assembleAdjustable(l, most, wakesNobody, func(p *adjustableParts) {
		giveBack(p)
		setLimit(p, p.limit)
	})
}

func wakesNobody(p *adjustableParts, n int) {
	p.limit = min(max(n, 1), cap(p.slots)) // MISTAKE: those in line do not learn of it
	for ; p.heldBack < p.toHoldBack() && p.trySlot(); p.heldBack++ {
	}
}
