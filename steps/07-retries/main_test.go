package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

func TestGolden(t *testing.T) {
	golden.Cases(t, run,
		golden.Case{Name: "holds", Args: golden.Measured},
		golden.Case{Name: "does-not-hold", Args: append(golden.Measured, "-retry-ratio=1"), Want: lab.ErrDoesNotHold},
		golden.Case{Name: "not-covered", Args: append(golden.Measured, "-multiple=1.5"), Want: lab.ErrInconclusive},
		golden.Case{Name: "too-short", Args: append(golden.Measured, "-duration=4s"), Want: lab.ErrInconclusive},
		golden.Case{Name: "cut-short", Args: golden.Measured, Interrupt: 5001 * time.Millisecond, Want: lab.ErrInterrupted},
		golden.Case{Name: "cut-short-at-once", Args: golden.Measured, Interrupt: time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-service-time=50.07ms", "-duration=6s", "-client-timeout=1s", "-warm-up=1s",
		"-budget=500ms", "-max-wait=300ms", "-retry-after=1s", "-user-patience=3s")
}

// The claims do not hang on one sequence of random waits.
func TestOtherSeeds(t *testing.T) {
	for _, seed := range []string{"2", "3", "4", "5"} {
		_, err := golden.Step(t, run, 0, append(golden.Measured, "-seed="+seed)...)
		assert.NoError(t, err, seed)
	}
}

// Over real connections nothing is asserted that depends on the speed of the
// machine, and no exact count unless it was on time. TestMain sees to it that no
// server and no connection is left.
func TestOverHTTP(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	var rows []row
	onTime := false
	for try := 0; try < 3 && !onTime; try++ {
		rows = rowsOverHTTP(t)
		onTime = !slices.ContainsFunc(rows, func(r row) bool { return r.LateMax > 100 || r.WorkSlower > 0.2 })
	}
	for _, r := range rows {
		assert.Equal(t, 95, r.Users, "due from 0.6 s on and before 1.2 s, at 159/s: %+v", r)
		assert.LessOrEqual(t, r.Served, r.Users, "%+v", r)
		assert.Positive(t, r.Busiest, "%+v", r)
	}
	if !onTime {
		t.Logf("the machine is too busy for exact counts: %+v", rows)
		return
	}
	for _, r := range rows {
		assert.Positive(t, r.Served, "%+v", r)
		assert.Zero(t, r.Failed, "%+v", r)
	}
	assert.Equal(t, 95, rows[0].Attempts, "without retries")
	assert.Greater(t, rows[1].Attempts, 95)
	assert.Equal(t, 95, rows[2].Attempts, "Retry-After outlasts the patience")
}

// rowsOverHTTP runs the step for two seconds, and returns the row of each policy.
func rowsOverHTTP(t *testing.T) []row {
	var stdout bytes.Buffer
	err := run(t.Context(), []string{"-http", "-json", "-capacity=79.5", "-duration=1.6s", "-warm-up=200ms",
		"-user-patience=400ms"}, &stdout, io.Discard)
	status, said := lab.ExitStatus(err)
	require.True(t, said, "%v", err)
	require.Contains(t, []int{0, 1, 3}, status)
	var document struct{ Rows []row }
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &document), stdout.String())
	require.Len(t, document.Rows, 3)
	return document.Rows
}

func TestInterruptOverHTTP(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	err := run(ctx, []string{"-http", "-capacity=79.5", "-duration=1h", "-warm-up=100ms", "-user-patience=500ms"}, io.Discard, io.Discard)
	assert.ErrorIs(t, err, lab.ErrInterrupted)
}

func TestUsage(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"-multiple=1e9", "open loop: 7.99e+10/s for 9s is 7.19e+11 requests, want at most 10000000"},
		{"-seed=-1", `invalid value "-1" for flag -seed: want a whole number from 1 to 100000; -h lists the flags`},
		{"-http=perhaps", `invalid boolean value "perhaps" for -http: parse error; -h lists the flags`},
	} {
		_, err := golden.Step(t, run, 0, append(golden.Measured, c.arg)...)
		assert.ErrorContains(t, err, c.want)
		status, _ := lab.ExitStatus(err)
		assert.Equal(t, 2, status, c.arg)
	}
}

func TestBusiest(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		instants []time.Duration
		want     int
	}{
		{nil, 0},
		{[]time.Duration{5 * ms}, 1},
		{[]time.Duration{0, 100 * ms}, 1},
		{[]time.Duration{0, 99 * ms, 150 * ms, 198 * ms}, 3},
		{[]time.Duration{7 * ms, 7 * ms, 7 * ms, 200 * ms}, 3},
	} {
		rand.Shuffle(len(c.instants), func(i, j int) { c.instants[i], c.instants[j] = c.instants[j], c.instants[i] })
		assert.Equal(t, c.want, busiest(c.instants, 100*ms), "%v", c.instants)
	}
}
