package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// WaitCounts measures what the client sees, and takes it for the work.
//
// The wait is then in the expectation twice. A long line makes the work look slow, and
// looks itself even longer for it.
func WaitCounts(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.sample = func(arrived, _ time.Time) time.Duration {
			return time.Since(arrived) // MISTAKE: since it began
		}
	})
}
