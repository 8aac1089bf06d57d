package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

// The work takes an odd time, as in golden.Measured. The capacity is found here.
var measured = []string{"-service-time=50.07ms"}

func TestGolden(t *testing.T) {
	golden.Cases(t, run,
		golden.Case{Name: "holds", Args: measured},
		golden.Case{Name: "does-not-hold", Args: append(measured, "-round=0.05"), Want: lab.ErrDoesNotHold},
		golden.Case{Name: "cut-short", Args: measured, Interrupt: 6500 * time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-service-time=50.07ms", "-duration=13s", "-client-timeout=1s", "-max-wait=300ms",
		"-slow-after=5s", "-slow-for=3s", "-settle=2s", "-probe=5s")
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-min=65"}, "-min is 65, want at most -max, which is 64"},
		{[]string{"-tolerance=1"}, "adaptation: Tolerance is 1, want a finite number above 1"},
		{[]string{"-burn"}, "-burn needs a clock that goes on while the processor computes: virtual time does not"},
		{[]string{"-burn", "-knee=3"}, "flag provided but not defined: -knee; -h lists the flags"},
		{[]string{"-multiple=1e9"}, "open loop: "},
	} {
		_, err := golden.Step(t, run, 0, tt.args...)
		assert.ErrorContains(t, err, tt.want)
		status, _ := lab.ExitStatus(err)
		assert.Equal(t, 2, status, "%v", tt.args)
	}
}
