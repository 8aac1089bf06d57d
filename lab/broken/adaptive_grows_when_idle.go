package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// GrowsWhenIdle raises the limit when work is fast, also if there is little of it.
//
// All night two are at work, and they are fast, so the limit rises to its maximum. In
// the morning the rush finds no limit at all.
func GrowsWhenIdle(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
	g, err := lab.NewGradient(l.Slots, how)
	if err != nil {
		return nil, err
	}
	return assembleAlgorithm(l, how, growsWhenIdle{g}, adapt)
}

type growsWhenIdle struct{ *lab.Gradient }

func (g growsWhenIdle) Begin(running int) (number int) {
	g.Gradient.Begin(g.Limit()) // MISTAKE: as if the limit were always reached
	return g.Gradient.Begin(running)
}
