package gate

import (
	"testing"

	"example.com/sheddinglab/exercises/check"
	"example.com/sheddinglab/lab"
)

func TestGate(t *testing.T) {
	if raceDetector {
		t.Skip("a sync.Cond in a bubble of synctest can crash the runtime of the race detector")
	}
	check.Collapse(t, func(slots, places int) lab.Admitter { return New(slots, places) })
}
