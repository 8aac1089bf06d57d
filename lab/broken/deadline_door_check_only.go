package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// DoorCheckOnly trusts what it expected when the request came.
//
// On the day when the work becomes slower, everybody who stands in line was let in
// because of a wait that is no longer true, and is worked on in vain.
func DoorCheckOnly(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.lateNow = func(time.Duration) bool {
			return false // MISTAKE: what was true before the wait may not be so after it
		}
	})
}
