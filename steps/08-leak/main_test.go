package main

import (
	"context"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
)

func TestGolden(t *testing.T) {
	golden.Cases(t, run,
		golden.Case{Name: "holds"},
		golden.Case{Name: "cut-short", Interrupt: 180500 * time.Microsecond, Want: lab.ErrInterrupted},
		golden.Case{Name: "leaky", Args: []string{"-controller=Leaky"}},
		golden.Case{Name: "controller", Args: []string{"-controller=Controller"}},
	)
}

// mistaken is run with a leak in the controller that should be correct.
func mistaken(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return compare(ctx, args, stdout, stderr, broken.Leaky)
}

func TestGoldenOfMistaken(t *testing.T) {
	golden.Cases(t, mistaken,
		golden.Case{Name: "does-not-hold", Want: lab.ErrDoesNotHold},
		golden.Case{Name: "controller-caught", Args: []string{"-controller=Controller"}, Want: lab.ErrDoesNotHold},
	)
}

// The step prints the matrix that the tests of package broken keep.
func TestSameMatrix(t *testing.T) {
	matrix, err := os.ReadFile("../../lab/broken/testdata/matrix.txt")
	require.NoError(t, err)
	text, err := os.ReadFile("testdata/holds.txt")
	require.NoError(t, err)
	assert.Contains(t, string(text), "\n\n"+string(matrix)+"The checks ran ")
}

// newStep is a step that has begun.
func newStep(t *testing.T) *lab.Step {
	step := lab.NewStep(8, "leak", "?")
	require.NoError(t, step.Begin(nil, io.Discard, io.Discard))
	return step
}

func TestOtherSettings(t *testing.T) {
	for _, c := range []struct {
		scenario
		want lab.Verdict
	}{
		{scenario{1, 30 * time.Millisecond, 10 * time.Millisecond}, lab.Holds},
		{scenario{200, 30 * time.Millisecond, 10 * time.Millisecond}, lab.Holds},
		{scenario{2, time.Microsecond, time.Nanosecond}, lab.Holds},
		{scenario{2, time.Hour, 59 * time.Minute}, lab.Holds},
		{scenario{2, 30 * time.Millisecond, 30 * time.Millisecond}, lab.Inconclusive},
		{scenario{2, 30 * time.Millisecond, time.Hour}, lab.Inconclusive},
	} {
		step := newStep(t)
		synctest.Test(t, func(t *testing.T) {
			require.NoError(t, tell(t.Context(), step, c.scenario, newController))
		})
		_, verdict := step.Results()
		assert.Equal(t, c.want, verdict, "%+v", c.scenario)
	}
}

func TestBusyMachine(t *testing.T) {
	for late, want := range map[time.Duration]lab.Verdict{maxLate: lab.Holds, maxLate + 1: lab.Inconclusive} {
		step := newStep(t)
		step.Add("a claim", true, "1", "1")
		examineSleeps(step, lab.ToMillis(late))
		_, verdict := step.Results()
		assert.Equal(t, want, verdict, late)
	}
}

func TestUnknownController(t *testing.T) {
	err := run(t.Context(), []string{"-controller=nonsense"}, io.Discard, io.Discard)
	status, _ := lab.ExitStatus(err)
	assert.Equal(t, 2, status)
	assert.ErrorContains(t, err, `invalid value "nonsense" for flag -controller: want one of all, Controller, Leaky, SlotLostByPanic, `)
}

// A scenario ends soon after its context, however long its waits.
func TestScenarioCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		r, err := scenario{2, time.Hour, time.Hour}.play(ctx, "Controller", newController)
		require.NoError(t, err)
		assert.Equal(t, ending{Last: "gone"}, r.ending)
		assert.Equal(t, time.Second, time.Since(begin))
	})
}
