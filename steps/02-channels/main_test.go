package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

func TestGolden(t *testing.T) {
	golden.Cases(t, run,
		golden.Case{Name: "holds", Args: []string{"-work=20.03ms"}},
		golden.Case{Name: "does-not-hold", Args: []string{"-work=20.03ms", "-buffer=100"}, Want: lab.ErrDoesNotHold},
		golden.Case{Name: "cut-short", Args: []string{"-work=20.03ms"}, Interrupt: time.Second + time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-work=20.03ms", "-duration=2s")
}

func TestBusyMachine(t *testing.T) {
	for _, c := range []struct {
		slowest, quickest float64
		want              lab.Verdict
	}{
		{0.10, 0.08, lab.Holds},
		{0.101, 0.08, lab.Inconclusive},
		{0.04, 0, lab.Inconclusive},
	} {
		step := lab.NewStep(2, "channels", "?")
		step.Add("a claim", true, "1", "1")
		doubtSlowWork(step, c.slowest, c.quickest)
		_, verdict := step.Results()
		assert.Equal(t, c.want, verdict, "%+v", c)
	}
}

// The work that the bell cuts off is not part of it.
func TestWorkSlower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
		defer cancel()
		p := &pipe{items: make(chan time.Time, 10)}
		for range 10 {
			p.items <- time.Now()
		}
		p.consume(ctx, 100*time.Millisecond)
		assert.Equal(t, 3, p.Consumed)
		assert.Zero(t, p.WorkSlower)
	})
}
