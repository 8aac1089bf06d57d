package sweep

import (
	"testing"

	"example.com/sheddinglab/exercises/check"
)

func TestSweep(t *testing.T) { check.Sweep(t, CollapsesAfter, Unseen) }
