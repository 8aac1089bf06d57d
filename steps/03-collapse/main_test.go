package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

func TestGolden(t *testing.T) {
	golden.Cases(t, run,
		golden.Case{Name: "holds", Args: golden.Measured},
		golden.Case{Name: "does-not-hold", Args: []string{"-service-time=50.07ms", "-capacity=30"}, Want: lab.ErrDoesNotHold},
		golden.Case{Name: "not-covered", Args: append(golden.Measured, "-multiple=1.05"), Want: lab.ErrInconclusive},
		golden.Case{Name: "cut-short", Args: golden.Measured, Interrupt: 2500 * time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func TestNoOverload(t *testing.T) {
	_, err := golden.Step(t, run, 0, append(golden.Measured, "-multiple=0.9")...)
	assert.EqualError(t, err, "-multiple is 0.9, want more than 1: without an overload nothing collapses")
	status, _ := lab.ExitStatus(err)
	assert.Equal(t, 2, status)
}

func TestFigures(t *testing.T) {
	rows := golden.Rows(t, run, golden.Measured...)
	assert.Equal(t, golden.Row{OK: 152, Timeout: 647, P50: 501, P99: 977, Wasted: 328, PeakLine: 399}, rows[0])
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-service-time=50.07ms", "-duration=5s", "-client-timeout=1s", "-warm-up=1s")
}
