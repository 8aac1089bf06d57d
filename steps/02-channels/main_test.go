package main

import (
	"testing"
	"time"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

func TestGolden(t *testing.T) {
	golden.Cases(t, run,
		golden.Case{Name: "holds", Args: []string{"-work=20.03ms"}},
		golden.Case{Name: "does-not-hold", Args: []string{"-work=20.03ms", "-capacity=100"}, Want: lab.ErrDoesNotHold},
		golden.Case{Name: "cut-short", Args: []string{"-work=20.03ms"}, Interrupt: time.Second + time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-work=20.03ms", "-duration=2s")
}
