package broken

import (
	"context"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// DeadlineIsNow does not look at whether there is a deadline.
//
// Without one, ctx.Deadline returns the zero time, which is long ago. The tests send
// deadlines, and pass; the clients of production do not.
func DeadlineIsNow(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		p.deadline = func(ctx context.Context) (time.Time, bool) {
			deadline, _ := ctx.Deadline() // MISTAKE: false is "there is none"
			return deadline, true
		}
	})
}
