package labtest_test

import (
	"testing"

	"example.com/sheddinglab/lab"
)

// onTheWallClock fails t if check fails three times, each time on a machine that was
// on time. What a busy one makes of it says nothing: in a bubble all is checked again.
func onTheWallClock(t *testing.T, check func() error) {
	t.Parallel()
	for try := 1; ; try++ {
		late := lab.WatchSleeps()
		err := check()
		_, worst := late()
		switch {
		case err == nil:
			return
		case worst > 10:
			t.Logf("try %d: a sleep ended %v ms late; the machine is too busy for: %v", try, worst, err)
			if try >= 3 {
				return
			}
		case try >= 3:
			t.Fatal(err)
		}
	}
}
