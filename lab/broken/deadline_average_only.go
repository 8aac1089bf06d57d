package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// AverageOnly does not know how far from their average the times are.
//
// Half of all work takes longer than the average; and when all of it becomes slower,
// the average needs many works to say so.
func AverageOnly(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.longest = func() time.Duration {
			return p.mean // MISTAKE: + 4 deviations
		}
	})
}
