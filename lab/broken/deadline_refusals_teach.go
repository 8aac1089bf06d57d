package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// RefusalsTeach takes a sample of every request, as a middleware does that measures
// from the outside.
//
// A refusal takes no time. The more are turned away, the faster the service believes
// itself to be.
func RefusalsTeach(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		refused := p.refused
		p.refused = func(counter *int) {
			refused(counter)
			p.learn(0) // MISTAKE: nobody has worked
		}
	})
}
