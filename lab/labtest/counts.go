package labtest

import (
	"fmt"
	"time"

	"example.com/sheddinglab/lab"
)

// wantCounts ends the check unless the controller soon has these numbers of
// requests being worked on and in line.
func (c *crew) wantCounts(when string, running, waiting int) {
	deadline := time.Now().Add(patience)
	for {
		s := c.ctrl.Stats()
		if s.Running == running && s.Waiting == waiting {
			return
		}
		if time.Now().After(deadline) {
			fail(fmt.Sprintf("%s, running is %d and waiting is %d", when, s.Running, s.Waiting),
				fmt.Sprintf("running is %d and waiting is %d", running, waiting))
		}
		time.Sleep(tick)
	}
}

// count returns the Stats that the crew has seen for itself: from what the calls
// returned, and from the work that goes on. The peak of the line is known to the
// check alone.
func (c *crew) count(peak int) lab.Stats {
	s := lab.Stats{PeakLine: peak}
	for _, r := range c.requests {
		s.Arrived++
		switch ran := r.runs.Load() > 0; {
		case ran:
			s.Admitted++
			if !r.isDone() {
				s.Running++
			}
		case !r.isDone():
			s.Waiting++
		case r.outcome() == outcome(lab.LineFull):
			s.ShedLineFull++
		case r.outcome() == outcome(lab.WaitedTooLong):
			s.ShedWaitedTooLong++
		case r.outcome() == gone:
			s.Gone++
		}
	}
	return s
}

// wantStats ends the check unless the controller's Stats are soon as wanted.
func (c *crew) wantStats(when string, want lab.Stats) {
	deadline := time.Now().Add(patience)
	for {
		got := c.ctrl.Stats()
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			fail(when+inNumbers(got), inNumbers(want))
		}
		time.Sleep(tick)
	}
}

func inNumbers(s lab.Stats) string {
	return fmt.Sprintf("running %d, waiting %d, peak line %d, arrived %d, admitted %d, line_full %d, waited_too_long %d, gone %d",
		s.Running, s.Waiting, s.PeakLine, s.Arrived, s.Admitted, s.ShedLineFull, s.ShedWaitedTooLong, s.Gone)
}
