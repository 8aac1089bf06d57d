package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// DropsTimeouts learns from work that succeeded, and from nothing else.
//
// When every request runs into its deadline there is nothing to learn from, and the
// limit stays as high as it was: the more there are that time out, the less it does.
func DropsTimeouts(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
	g, err := lab.NewGradient(l.Slots, how)
	if err != nil {
		return nil, err
	}
	return assembleAlgorithm(l, how, dropsTimeouts{g}, adapt)
}

type dropsTimeouts struct{ *lab.Gradient }

func (d dropsTimeouts) End(now time.Time, took time.Duration, number int, failed bool) {
	if failed { // MISTAKE: it may have failed because it took too long
		return
	}
	d.Gradient.End(now, took, number, failed)
}
