package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stepRun is a step with a parameter of every kind and one trial.
func stepRun(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := NewStep(7, "example", "is this a question?")
	set := step.Settings(2 * time.Second)
	multiple := step.Float("multiple", 2, "offered load")
	step.Int("count", 3, "a count")
	step.Seconds("pause", time.Second, "a pause")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	runs, err := step.Run(ctx, Trial{
		Policy:      "no line",
		Limits:      Limits{Slots: set.Slots},
		ServiceTime: Constant(set.ServiceTime),
		Load:        OpenLoop{Rate: *multiple * set.Capacity, Duration: set.Duration, Patience: set.ClientTimeout},
		WarmUp:      set.WarmUp,
	})
	if err != nil {
		return err
	}
	step.Table(runs...)
	step.Printf("One note.")
	step.Add("some are served", runs[0].OK > 0, "some", "some")
	return step.End(ctx, "make step-8")
}

// virtually calls stepRun in virtual time.
func virtually(t *testing.T, args ...string) (stdout string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var out, stderr bytes.Buffer
		err = stepRun(t.Context(), args, &out, &stderr)
		assert.Empty(t, stderr.String())
		stdout = out.String()
	})
	return stdout, err
}

// Bad usage is one line that names the flag, the value and what was wanted, and
// nothing is measured.
func TestStepUsage(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-slots", "0"}, `invalid value "0" for flag -slots: want a whole number from 1 to 100000; -h lists the flags`},
		{[]string{"-slots", "-1"}, `invalid value "-1" for flag -slots: want a whole number from 1 to 100000; -h lists the flags`},
		{[]string{"-slots", "1.5"}, `invalid value "1.5" for flag -slots: want a whole number from 1 to 100000; -h lists the flags`},
		{[]string{"-slots", "99999999999999999999"}, `invalid value "99999999999999999999" for flag -slots: want a whole number from 1 to 100000; -h lists the flags`},
		{[]string{"-duration", "-1s"}, `invalid value "-1s" for flag -duration: want a duration above 0s, up to 24h, such as 50ms, 1.5s or a number of seconds; -h lists the flags`},
		{[]string{"-duration", "0"}, `invalid value "0" for flag -duration: want a duration above 0s, up to 24h, such as 50ms, 1.5s or a number of seconds; -h lists the flags`},
		{[]string{"-duration", "NaN"}, `invalid value "NaN" for flag -duration: want a duration above 0s, up to 24h, such as 50ms, 1.5s or a number of seconds; -h lists the flags`},
		{[]string{"-duration", ""}, `invalid value "" for flag -duration: want a duration above 0s, up to 24h, such as 50ms, 1.5s or a number of seconds; -h lists the flags`},
		{[]string{"-warm-up", "-1"}, `invalid value "-1" for flag -warm-up: want a duration from 0s to 24h, such as 50ms, 1.5s or a number of seconds; -h lists the flags`},
		{[]string{"-warm-up", "2s", "-capacity=80"}, `-warm-up is 2s, want less than -duration, which is 2s`},
		{[]string{"-multiple", "NaN"}, `invalid value "NaN" for flag -multiple: want a number above 0 and at most 1e9; -h lists the flags`},
		{[]string{"-multiple", "Inf"}, `invalid value "Inf" for flag -multiple: want a number above 0 and at most 1e9; -h lists the flags`},
		{[]string{"-multiple", "-2"}, `invalid value "-2" for flag -multiple: want a number above 0 and at most 1e9; -h lists the flags`},
		{[]string{"-capacity", "0"}, `invalid value "0" for flag -capacity: want a number above 0 and at most 1e9; -h lists the flags`},
		{[]string{"-multiple", "1e9", "-capacity=1000"}, `open loop: 1e+12/s for 2s is 2e+12 requests, want at most 10000000`},
		{[]string{"-multiple", "0.001", "-capacity=80"}, `open loop: 0.08/s for 2s is not one request`},
		{[]string{"-nonsense"}, `flag provided but not defined: -nonsense; -h lists the flags`},
		{[]string{"-capacity=80", "extra"}, `unexpected argument "extra"; -h lists the flags`},
		{nil, "no capacity in " + filepath.Join(dir, "capacity.json") + " yet: measure it with make step-1, or go run ./steps/01-calibrate"},
	} {
		stdout, err := virtually(t, append([]string{"-out", dir}, c.args...)...)
		assert.EqualError(t, err, c.want)
		assert.NotContains(t, stdout, "goodput")
		status, said := ExitStatus(err)
		assert.Equal(t, 2, status)
		assert.False(t, said)
	}
}

func TestStepHelp(t *testing.T) {
	stdout, err := virtually(t, "-h")
	assert.ErrorIs(t, err, flag.ErrHelp)
	for _, part := range []string{"Step 7, example: is this a question?", "-slots", "(default 4)", "-service-time", "(default 50ms)",
		"(default as step 1 measured it)", "-multiple", "-json"} {
		assert.Contains(t, stdout, part)
	}
}

func TestStepDurationsAsSeconds(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	stdout, err := virtually(t, "-capacity=80", "-duration=3", "-pause=0.25", "-json")
	require.NoError(t, err)
	var d struct{ Parameters map[string]any }
	require.NoError(t, json.Unmarshal([]byte(stdout), &d))
	assert.Equal(t, map[string]any{"slots": 4.0, "service_time_ms": 50.0, "client_timeout_ms": 1000.0, "duration_s": 3.0,
		"warm_up_s": 1.0, "capacity_rps": 80.0, "multiple": 2.0, "count": 3.0, "pause_s": 0.25}, d.Parameters)
}

func TestStepCapacityFromDisk(t *testing.T) {
	dir := t.TempDir()
	c := Capacity{PerSecond: 79.9, Slots: 4, ServiceTimeMS: 50, Verdict: Holds}
	require.NoError(t, c.Save(dir))
	stdout, err := virtually(t, "-out", dir)
	require.NoError(t, err)
	assert.Contains(t, stdout, "-capacity=79.9")

	_, err = virtually(t, "-out", dir, "-slots=8")
	assert.ErrorContains(t, err, "was measured with -slots 4, not 8")

	c.Verdict = Inconclusive
	require.NoError(t, c.Save(dir))
	stdout, err = virtually(t, "-out", dir)
	assert.ErrorIs(t, err, ErrInconclusive, "no claim can rest on a doubtful capacity")
	assert.Contains(t, stdout, "inconclusive because the capacity was measured in a run that was itself")
}

// Sends that were late prove nothing, whatever the counts are.
func TestStepLateSends(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	synctest.Test(t, func(t *testing.T) {
		var stdout bytes.Buffer
		step := NewStep(7, "example", "?")
		require.NoError(t, step.Begin(nil, &stdout, io.Discard))
		load := OpenLoop{Rate: 100, Duration: time.Second, Patience: time.Second}
		load.OnSend = func(i int) {
			if i == 50 {
				time.Sleep(50 * time.Millisecond)
			}
		}
		_, err := step.Run(t.Context(), Trial{Policy: "stalled", Limits: Limits{Slots: 99}, ServiceTime: Constant(ms), Load: load})
		require.NoError(t, err)
		step.Add("holds anyway", true, "1", "1")
		assert.ErrorIs(t, step.End(t.Context(), "next"), ErrInconclusive)
		assert.Contains(t, stdout.String(), `inconclusive because the sends of "stalled" were late: p99 40 ms, want at most`)
	})
}

func TestStepGeneratorBound(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	synctest.Test(t, func(t *testing.T) {
		var stdout bytes.Buffer
		step := NewStep(7, "example", "?")
		require.NoError(t, step.Begin(nil, &stdout, io.Discard))
		load := OpenLoop{Rate: 100, Duration: time.Second, Patience: time.Hour}
		load.OnSend = func(i int) { time.Sleep(11 * time.Millisecond) }
		runs, err := step.Run(t.Context(), Trial{Policy: "slow sender", Limits: Limits{Slots: 99}, ServiceTime: Constant(ms), Load: load})
		require.NoError(t, err)
		assert.Equal(t, 100, runs[0].OK, "all the same, every request is sent")
		assert.ErrorIs(t, step.End(t.Context(), "next"), ErrInconclusive)
		assert.Contains(t, stdout.String(), "the generator was the bottleneck")
	})
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		said   bool
	}{
		{nil, 0, true},
		{flag.ErrHelp, 0, true},
		{ErrDoesNotHold, 1, true},
		{ErrInconclusive, 3, true},
		{ErrInterrupted, 130, true},
		{usagef("bad"), 2, false},
		{errors.New("a fault"), 1, false},
	} {
		status, said := ExitStatus(c.err)
		assert.Equal(t, c.status, status, c.err)
		assert.Equal(t, c.said, said, c.err)
	}
}

// Ctrl-C before the first request: nothing to show, and nothing that is not a
// number.
func TestStepInterruptedAtOnce(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, format := range []string{"-json=false", "-json"} {
			var stdout bytes.Buffer
			assert.ErrorIs(t, stepRun(ctx, []string{"-capacity=80", format}, &stdout, io.Discard), ErrInterrupted)
			assert.NotContains(t, stdout.String(), "NaN")
		}
	})
}

// A capacity that cannot be kept is still shown.
func TestEndWithCapacityThatCannotBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	var stdout bytes.Buffer
	step := NewStep(1, "example", "?")
	require.NoError(t, step.Begin([]string{"-out", file}, &stdout, io.Discard))
	step.Printf("79.9/s")
	step.Add("a claim", true, "1", "1")
	err := step.EndWithCapacity(t.Context(), 4, 50*ms, 79.9, "make step-2")
	assert.ErrorContains(t, err, "the capacity above could not be kept in -out "+file)
	status, said := ExitStatus(err)
	assert.Equal(t, 2, status)
	assert.False(t, said)
	assert.Contains(t, stdout.String(), "79.9/s")
	assert.Contains(t, stdout.String(), "verdict: holds")
}

// The default directory is the one in the root of the module, from wherever in it
// a step is started.
func TestDefaultOut(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "steps", "03-collapse")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	t.Chdir(deep)
	assert.Equal(t, "out", defaultOut(), "outside of any module")
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o644))
	assert.Equal(t, filepath.Join("..", "..", "out"), defaultOut())
	t.Chdir(root)
	assert.Equal(t, "out", defaultOut())
}

func TestSeconds(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0": 0, "1.5": 1500 * ms, "-2": -2 * time.Second, "1e300": 1<<63 - 1, "-1e300": -1 << 63, "1e-9": 1,
	} {
		d, err := parseDuration(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, d, s)
	}
	for _, s := range []string{"", "NaN", "Inf", "-Inf", "abc", "1 s", "1e999"} {
		_, err := parseDuration(s)
		assert.Error(t, err, s)
	}
}

// Of several runs with the same fault the report names the worst.
func TestStepNamesTheWorst(t *testing.T) {
	run := func(policy string, late time.Duration, slower float64) Summary {
		load := OpenLoop{Rate: 1, Duration: time.Second, Patience: time.Second}
		s := Summarize(policy, load, 0, []Sample{{Late: late, Outcome: OK}})
		s.WorkSlower = slower
		return s
	}
	step := NewStep(7, "example", "?")
	step.Examine(run("fine", ms, 0.01))
	assert.Empty(t, step.Checks.String())
	step.Examine(run("fine", ms, 0.01), run("late", 20*ms, 0.01), run("later", 30*ms, 0.06), run("late too", 25*ms, 0))
	assert.Equal(t, `inconclusive because the sends of "later" and 2 more were late: p99 30 ms, want
              at most 10 ms; the machine is too busy
inconclusive because the work of "later" took 6% longer than asked, want at most
              5%; the machine is too busy
`, step.Checks.String())
}

func TestStepDefaultAndAlias(t *testing.T) {
	step := NewStep(7, "example", "?")
	set := step.SettingsToMeasure(5 * time.Second)
	step.Default("warm-up", "2s")
	step.Alias("hold", "duration")
	var stdout bytes.Buffer
	assert.ErrorIs(t, step.Begin([]string{"-h"}, &stdout, io.Discard), flag.ErrHelp)
	assert.Contains(t, stdout.String(), "(default 2s)")
	assert.Contains(t, stdout.String(), "the same as -duration (default 5s)")
	require.NoError(t, step.Begin([]string{"-hold=9s"}, &stdout, io.Discard))
	assert.Equal(t, []time.Duration{9 * time.Second, 2 * time.Second}, []time.Duration{set.Duration, set.WarmUp})
	assert.Contains(t, stdout.String(), "-duration=9s\n            -warm-up=2s")
	assert.Panics(t, func() { step.Default("duration", "soon") })
}

func TestBuiltByGoRun(t *testing.T) {
	hash := strings.Repeat("3f", 32)
	for program, want := range map[string]bool{
		"/tmp/go-build1234/b001/exe/03-collapse":    true,
		"/home/me/.cache/go/30/" + hash + "-d/step": true,
		"/home/me/go-build/bin/03-collapse":         false,
		"/home/me/lab/out/bin/03-collapse":          false,
		"/home/me/notes-d/step":                     false,
	} {
		assert.Equal(t, want, builtByGoRun(program), program)
	}
}
