package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// CountsRefusals takes every end of work for an answer.
//
// When what is behind the service refuses its requests, which takes no time, the work
// looks faster than ever, and the limit opens.
func CountsRefusals(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
	g, err := lab.NewGradient(l.Slots, how)
	if err != nil {
		return nil, err
	}
	return assembleAlgorithm(l, how, countsRefusals{g}, adapt)
}

type countsRefusals struct{ *lab.Gradient }

func (c countsRefusals) End(now time.Time, took time.Duration, number int, _ bool) {
	c.Gradient.End(now, took, number, false) // MISTAKE: whether it failed is not looked at
}
