package gate

import (
	"testing"

	"example.com/sheddinglab/exercises/check"
	"example.com/sheddinglab/lab"
)

func TestGate(t *testing.T) {
	check.Collapse(t, func(slots, places int) lab.Admitter { return New(slots, places) })
}
