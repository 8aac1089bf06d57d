package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// OneSlot forgets that the slots empty the line together.
//
// With four of them it expects four times the wait, and turns away clients who could
// have been served. With one, as in most tests, it is right.
func OneSlot(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.wait = func() time.Duration {
			return p.mean * time.Duration(p.Controller.Stats().Waiting) // MISTAKE: ÷ requests at work
		}
	})
}
