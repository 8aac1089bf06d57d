package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// SameForAll says in Retry-After how long the line takes, and nothing else.
//
// That is the right time for one client. A hundred who come back at the same time are
// the next overload.
func SameForAll(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.retry = func() time.Duration {
			return min(p.wait(), 30*time.Second) // MISTAKE: + a random time
		}
	})
}
