package main

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

func TestGolden(t *testing.T) {
	golden.Cases(t, run,
		golden.Case{Name: "holds", Args: []string{"-service-time=50.07ms"}},
		golden.Case{Name: "nothing-finished", Args: []string{"-service-time=50.07ms", "-duration=1ns"}, Want: lab.ErrInconclusive},
		golden.Case{Name: "cut-short", Args: []string{"-service-time=50.07ms"}, Interrupt: 2500 * time.Millisecond, Want: lab.ErrInterrupted},
		golden.Case{Name: "cut-short-at-once", Args: []string{"-service-time=50.07ms"}, Interrupt: time.Millisecond, Want: lab.ErrInterrupted},
	)
}

// A service whose requests get in each other's way finishes fewer than its slots
// promise: the claim must fail.
func TestGoldenContention(t *testing.T) {
	golden.Cases(t, func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		var running atomic.Int32
		return calibrate(ctx, args, stdout, stderr, func(ctx context.Context, d time.Duration) error {
			defer running.Add(-1)
			if running.Add(1) > 1 {
				d += d / 10
			}
			return lab.PretendWork(ctx, d)
		})
	}, golden.Case{Name: "does-not-hold", Args: []string{"-service-time=50.07ms"}, Want: lab.ErrDoesNotHold})
}

// A machine that cannot keep time must not be blamed on the service, nor pass.
func TestGoldenBusyMachine(t *testing.T) {
	golden.Cases(t, func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		var n atomic.Int32
		return calibrate(ctx, args, stdout, stderr, func(ctx context.Context, d time.Duration) error {
			if n.Add(1)%7 == 0 {
				d += 30 * time.Millisecond
			}
			return lab.PretendWork(ctx, d)
		})
	}, golden.Case{Name: "inconclusive", Args: []string{"-service-time=50.07ms"}, Want: lab.ErrInconclusive})
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-service-time=50.07ms", "-duration=3s")
}

func TestSlots(t *testing.T) {
	for _, slots := range []string{"1", "2", "16", "1000"} {
		_, err := golden.Step(t, run, 0, "-service-time=50.07ms", "-slots="+slots)
		assert.NoError(t, err, slots)
	}
}
