package broken

import (
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// NeverForgets has no way to find out that the work has become faster.
//
// After a slow minute it expects more than any client's patience, and turns everybody
// away. Nothing is worked on, so nothing new is learned.
func NeverForgets(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.untested = func() bool {
			return false // MISTAKE: somebody has to try
		}
	})
}
