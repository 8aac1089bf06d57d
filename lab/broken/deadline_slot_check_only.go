package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// SlotCheckOnly lets everybody into the line and looks at the time at its end.
//
// Nothing is wasted. But whoever has no chance learns so after the wait, when there is
// no time left to ask somebody else, and takes a place in line until then.
func SlotCheckOnly(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.lateAtAll = func(time.Duration) bool {
			return false // MISTAKE: the wait could have been known
		}
	})
}
