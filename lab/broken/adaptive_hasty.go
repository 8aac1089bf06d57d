package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// Hasty changes the limit several times while work that began under an older one is
// still going on.
//
// What it sees is what it did some changes ago. So it does the same again, and too much
// of it, and then too much of the opposite.
func Hasty(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
	how.Round /= 80 // MISTAKE: so short a round sees one answer, or two
	return assembleAdaptive(l, how, adapt)
}
