package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// NoCap believes its own expectation, whatever it is.
//
// A line that does not move, for a minute, makes for a Retry-After of hours. Those who
// obey it are lost, also when all is well again a moment later.
func NoCap(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.retry = func() time.Duration {
			return time.Duration((1 + p.random()) * float64(p.wait())) // MISTAKE: half a minute at most
		}
	})
}
