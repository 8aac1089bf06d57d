package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// CountedTwice wraps a controller and forgets that it counts too.
//
// A request that is turned away in line is one that has gone, for the controller
// inside; and one that is turned away at the slot was admitted.
func CountedTwice(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		refused := p.refused
		p.refused = func(*int) {
			refused(nil) // MISTAKE: the counter tells where it is counted already
		}
	})
}
