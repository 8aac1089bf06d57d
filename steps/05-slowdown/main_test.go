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
		golden.Case{Name: "does-not-hold", Args: append(golden.Measured, "-max-wait=900ms"), Want: lab.ErrDoesNotHold},
		golden.Case{Name: "not-covered", Args: append(golden.Measured, "-duration=4s"), Want: lab.ErrInconclusive},
		golden.Case{Name: "cut-short", Args: golden.Measured, Interrupt: 4500 * time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func TestFigures(t *testing.T) {
	rows := golden.Rows(t, run, golden.Measured...)
	assert.Equal(t, golden.Row{OK: 216, Shed: 179, Timeout: 116, P50: 50, P99: 889, Wasted: 96, PeakLine: 40}, rows[0])
	assert.Equal(t, golden.Row{OK: 300, Shed: 211, P50: 50, P99: 498, PeakLine: 20}, rows[1])
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-service-time=50.07ms", "-duration=8s", "-client-timeout=1s", "-warm-up=1s",
		"-budget=500ms", "-slow-after=3s", "-max-wait=300ms")
}
