package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// LowersFreeOnly holds back the slots that are free when the limit is lowered, and no
// others.
//
// On an idle service the limit works, and so do all tests of it. Under load no slot is
// free, and then the limit is lowered in name alone.
func LowersFreeOnly(l lab.Limits, most int) (labtest.AdjustableController, error) {
	return assembleAdjustable(l, most, setLimit, lowersFreeOnly)
}

func lowersFreeOnly(p *adjustableParts) {
	p.release() // MISTAKE: the slot goes to the next in line, however many are at work
}
