package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// StaysToTheEnd lets a request wait until its very deadline.
//
// Nobody works for it in vain. But the refusal and the end of its client's patience
// come in the same instant: for the client it is a timeout like any other.
func StaysToTheEnd(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.leaveLine = func(deadline time.Time) time.Time {
			return deadline // MISTAKE: less the time of the work
		}
	})
}
