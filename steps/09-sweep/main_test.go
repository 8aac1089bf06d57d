package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

// with is golden.Measured and more arguments.
func with(args ...string) []string {
	return append(golden.Measured[:len(golden.Measured):len(golden.Measured)], args...)
}

func TestGolden(t *testing.T) {
	tooHigh := []string{"-service-time=50.07ms", "-capacity=100"}
	golden.Cases(t, run,
		golden.Case{Name: "holds", Args: golden.Measured},
		golden.Case{Name: "does-not-hold", Args: []string{"-service-time=50.07ms", "-capacity=30"}, Want: lab.ErrDoesNotHold},
		golden.Case{Name: "not-covered", Args: with("-max-wait=960ms", "-budget=1s"), Want: lab.ErrInconclusive},
		golden.Case{Name: "cut-short", Args: golden.Measured, Interrupt: 3333 * time.Millisecond, Want: lab.ErrInterrupted},
		golden.Case{Name: "cut-short-in-the-warm-up", Args: golden.Measured, Interrupt: 1111 * time.Millisecond, Want: lab.ErrInterrupted},
		golden.Case{Name: "serial-cut-short", Args: with("-serial"), Interrupt: 23232 * time.Millisecond, Want: lab.ErrInterrupted},

		golden.Case{Name: "hold-holds", Args: with("-hold=24s")},
		golden.Case{Name: "hold-does-not-hold", Args: append(tooHigh, "-hold=24s"), Want: lab.ErrDoesNotHold},
		golden.Case{Name: "hold-not-covered", Args: with("-hold=9s"), Want: lab.ErrInconclusive},
		golden.Case{Name: "hold-cut-short", Args: with("-hold=24s"), Interrupt: 10101 * time.Millisecond, Want: lab.ErrInterrupted},

		golden.Case{Name: "tune-holds", Args: with("-tune")},
		golden.Case{Name: "tune-does-not-hold", Args: append(tooHigh, "-tune"), Want: lab.ErrDoesNotHold},
		golden.Case{Name: "tune-not-covered", Args: with("-tune", "-max-wait=100ms"), Want: lab.ErrInconclusive},
		golden.Case{Name: "tune-cut-short", Args: with("-tune"), Interrupt: 3333 * time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func rows[T any](t *testing.T, step golden.Run, args ...string) []T {
	t.Helper()
	document, err := golden.Step(t, step, 0, append(args, "-json")...)
	require.NoError(t, err)
	var d struct{ Rows []T }
	require.NoError(t, json.Unmarshal([]byte(document), &d))
	return d.Rows
}

// The figures of the table in the design of the lab, computed apart from this program.
func TestFigures(t *testing.T) {
	var without, protected []float64
	for i, r := range rows[row](t, run, golden.Measured...) {
		if i%2 == 0 {
			without = append(without, r.Steady)
		} else {
			protected = append(protected, r.Steady)
		}
	}
	assert.InDeltaSlice(t, []float64{40, 80, 0, 0, 0}, without, 1)
	assert.InDeltaSlice(t, []float64{40, 80, 80, 80, 80}, protected, 1)
}

func TestFiguresOfTune(t *testing.T) {
	var steady, p99, shed []float64
	for _, r := range rows[lab.Summary](t, run, with("-tune")...) {
		steady, p99, shed = append(steady, r.Steady), append(p99, float64(r.P99)), append(shed, float64(r.Shed))
		assert.Zero(t, r.Timeout)
	}
	assert.InDeltaSlice(t, []float64{80, 80, 80}, steady, 1)
	assert.InDeltaSlice(t, []float64{344, 544, 544}, p99, 2)
	assert.InDeltaSlice(t, []float64{456, 440, 440}, shed, 1)
}

// Held for two minutes, every load above the capacity collapses when it was
// predicted from the load that was asked for, and the others do not.
func TestCollapseIsPredicted(t *testing.T) {
	held := rows[heldRow](t, run, with("-hold=120s")...)
	for i, want := range []float64{0, 0, 47.497, 18.999, 9.499} {
		switch r := held[i]; {
		case want == 0:
			assert.Nil(t, r.Seen, r.Policy)
			assert.Equal(t, r.Offered, r.OK, r.Policy)
		case assert.NotNil(t, r.Seen, r.Policy):
			assert.InDelta(t, want, *r.Seen, want/10, r.Policy)
			assert.InDelta(t, *r.Predicted, *r.Seen, want/20, r.Policy)
		}
	}
}

func TestCollapse(t *testing.T) {
	set := &lab.Settings{ServiceTime: 50 * time.Millisecond, ClientTimeout: time.Second}
	for _, c := range []struct {
		multiple float64
		want     string
	}{{0.5, "never"}, {1, "never"}, {1.05, "19s"}, {1.5, "1.9s"}, {2, "950ms"}, {20, "50ms"}} {
		got := "never"
		if due, ok := collapse(set, c.multiple); ok {
			got = due.Round(time.Microsecond).String()
		}
		assert.Equal(t, c.want, got, c.multiple)
	}
	set.ServiceTime = 2 * time.Second
	due, ok := collapse(set, 2)
	assert.True(t, ok)
	assert.Zero(t, due, "nobody is ever answered in time")
}

// withOneSlot is the step with one slot, and a quarter of the capacity that the last
// argument leads to: a quarter of the time.
func withOneSlot(step golden.Run) golden.Run {
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		capacity, err := lab.LoadCapacity(args[len(args)-1])
		if err != nil {
			return err
		}
		args = append(args, "-slots=1", fmt.Sprint("-capacity=", capacity.PerSecond/float64(capacity.Slots)))
		return step(ctx, args, stdout, stderr)
	}
}

func TestOtherSettings(t *testing.T) {
	for _, step := range []golden.Run{sweep, tune} {
		golden.OtherSettings(t, withOneSlot(step), "-service-time=50.07ms", "-duration=6s", "-client-timeout=1s", "-warm-up=2s",
			"-budget=500ms", "-max-wait=300ms")
	}
	golden.OtherSettings(t, withOneSlot(hold), "-service-time=50.07ms", "-hold=20s", "-client-timeout=1s", "-warm-up=1s")
}

// One after the other gives what side by side gives, as long as the machine keeps up.
func TestSerial(t *testing.T) {
	assert.Equal(t, rows[row](t, run, golden.Measured...), rows[row](t, run, with("-serial")...))
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-hold"}, "flag needs an argument: -hold; -h lists the flags"},
		{[]string{"-hold=-1s"}, `invalid value "-1s" for flag -hold: want a duration above 0s`},
		{[]string{"-hold=1s"}, "-warm-up is 1s, want less than -duration, which is 1s"},
		{[]string{"-tune", "-far"}, "flag provided but not defined: -far; -h lists the flags"},
		{[]string{"-capacity=1e9"}, "requests, want at most 10000000"},
		{[]string{"-far", "-up-to=1e9"}, "requests, want at most 10000000"},
	} {
		_, err := golden.Step(t, run, 0, with(c.args...)...)
		assert.ErrorContains(t, err, c.want)
		status, _ := lab.ExitStatus(err)
		assert.Equal(t, 2, status, c.args)
	}
}

func TestModes(t *testing.T) {
	for _, arg := range []string{"-tune", "--tune", "-tune=true"} {
		assert.True(t, given([]string{"-capacity", "80", arg}, "tune"), arg)
	}
	for _, arg := range []string{"tune", "-tuned", "-x=-tune", "---tune"} {
		assert.False(t, given([]string{arg}, "tune"), arg)
	}
	usage, err := golden.Step(t, run, 0, "-h")
	status, _ := lab.ExitStatus(err)
	assert.Zero(t, status)
	for _, m := range modes {
		assert.Contains(t, usage, "\n  -"+m.flag+" ")
	}
	assert.Contains(t, usage, "left out of the steady goodput (default 2s)")
}
