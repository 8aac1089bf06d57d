package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/bench/question"
	"example.com/sheddinglab/lab"
)

// Two rounds of a machine that is twice as slow in the second: the ratios do not
// notice.
const (
	firstRound = `goos: linux
BenchmarkAdmit/peer=floor-2   	100	 10.0 ns/op	 0 B/op	 0 allocs/op
BenchmarkAdmit/peer=lab-2     	100	 15.0 ns/op	 0 B/op	 0 allocs/op
BenchmarkServe/peer=other-2   	  1	 99 ns/op	 2000 req/s
BenchmarkServe/peer=lab-2     	  1	 99 ns/op	 1000 req/s
PASS
`
	secondRound = `goos: linux
BenchmarkAdmit/peer=floor-2   	100	 20.0 ns/op	 0 B/op	 0 allocs/op
BenchmarkAdmit/peer=lab-2     	100	 30.0 ns/op	 0 B/op	 0 allocs/op
BenchmarkServe/peer=other-2   	  1	 99 ns/op	 4000 req/s
BenchmarkServe/peer=lab-2     	  1	 99 ns/op	 2000 req/s
PASS
`
)

func measured(t *testing.T, rounds ...string) *measurements {
	m := newMeasurements()
	for _, round := range rounds {
		require.NoError(t, m.add(strings.NewReader(round)))
	}
	return m
}

func TestReport(t *testing.T) {
	q := question.Question{
		Name: "admit", Ask: "what does it cost?", Benchtime: "1s", Rounds: 3,
		Units: []string{"ns/op", "allocs/op"}, Base: "floor",
		Targets: []question.Target{
			{Scenario: "Admit", Peer: "lab", Over: "floor", Unit: "ns/op", AtMost: 1.6},
			{Scenario: "Admit", Peer: "lab", Minus: "floor", Unit: "ns/op", AtMost: 7},
			{Scenario: "Admit", Peer: "lab", Unit: "allocs/op", AtMost: 0},
			{Scenario: "Serve", Peer: "lab", Over: "other", Unit: "req/s", AtLeast: 0.97},
			{Scenario: "Wait", Peer: "lab", Unit: "ns/op", AtMost: 1},
		},
	}
	var text bytes.Buffer
	missed, err := report(&text, q, measured(t, firstRound, secondRound))
	require.NoError(t, err)
	assert.Equal(t, 2, missed)
	assert.Equal(t, strings.TrimPrefix(`
admit: what does it cost?
cut short after 2 of 3 rounds; medians

scenario  peer   ratio  ns/op  spread  allocs/op
Admit     floor   1.00     15     67%          0
          lab     1.50   22.5     67%          0
Serve     other   1.00     99      0%          -
          lab     1.00     99      0%          -

met           Admit: lab / floor is 1.50 of ns/op (want at most 1.6)
missed        Admit: lab - floor is 7.50 ns/op (want at most 7)
met           Admit: lab is 0 allocs/op (want at most 0)
missed        Serve: lab / other is 0.50 of req/s (want at least 0.97)
not measured  Wait: lab is - ns/op (want at most 1)

`, "\n"), text.String())
	for line := range strings.Lines(text.String()) {
		assert.LessOrEqual(t, len(line), 81)
	}
}

func TestFaultsInTheLines(t *testing.T) {
	m := newMeasurements()
	assert.ErrorContains(t, m.add(strings.NewReader("PASS\n")), "no benchmark was run")
	m = newMeasurements()
	assert.ErrorContains(t, m.add(strings.NewReader("BenchmarkAdmit-2 1 1.0 ns/op\n")), "want Admit/peer=PEER")
	m = measured(t, firstRound)
	assert.ErrorContains(t, m.add(strings.NewReader("BenchmarkAdmit/peer=lab-2 1 1.0 ns/op\n")), "want one in each")
}

func TestMedianAndSpread(t *testing.T) {
	assert.Equal(t, 2.0, median([]float64{3, 1, 2}))
	assert.Equal(t, 2.5, median([]float64{4, 1, 3, 2}))
	assert.True(t, median(nil) != median(nil), "NaN")
	assert.Equal(t, 0.5, spread([]float64{1, 9, 4, 5, 3}), "the outer ones do not count")
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-only", "luck"}, `there is no question "luck"`},
		{[]string{"-rounds", "-1"}, "-rounds is -1, want at least 0"},
		{[]string{"more"}, `there is no argument "more"`},
		{[]string{"-strictly"}, "-strictly"},
	} {
		err := run(t.Context(), tt.args, io.Discard, io.Discard)
		assert.ErrorAs(t, err, new(*lab.UsageError))
		assert.ErrorContains(t, err, tt.want)
	}
	var help bytes.Buffer
	assert.ErrorIs(t, run(t.Context(), []string{"-h"}, &help, io.Discard), flag.ErrHelp)
	assert.Contains(t, help.String(), "-strict")
}

// Each question has a package that answers it, and no target is about a peer that
// its base would never be compared with.
func TestQuestions(t *testing.T) {
	for _, q := range questions {
		tests, err := filepath.Glob(filepath.Join(q.Name, "*_test.go"))
		require.NoError(t, err)
		assert.NotEmpty(t, tests, q.Name)
		assert.NotEmpty(t, q.Units, q.Name)
		assert.Positive(t, q.Rounds, q.Name)
		source := ""
		for _, file := range tests {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			source += string(text)
		}
		for _, target := range q.Targets {
			assert.Contains(t, source, "func Benchmark"+target.Scenario+"(", q.Name)
		}
	}
}
