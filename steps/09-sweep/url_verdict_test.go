package main

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// outcomes makes a row of a load at a capacity of 100/s that was sent for a second.
func outcomes(multiple float64, ok, shed, timeout int, failed ...error) urlRow {
	var samples []lab.Sample
	add := func(n int, s lab.Sample) {
		for range n {
			s.Due = time.Duration(len(samples)) * time.Millisecond
			samples = append(samples, s)
		}
	}
	add(ok, lab.Sample{Outcome: lab.OK, Latency: 10 * time.Millisecond})
	add(shed, lab.Sample{Outcome: lab.Shed, Err: &lab.Overloaded{RetryAfter: time.Second}})
	add(timeout, lab.Sample{Outcome: lab.Timeout})
	for _, err := range failed {
		add(1, lab.Sample{Outcome: lab.Failed, Err: err})
	}
	r := newURLRow(lab.OpenLoop{Rate: 100 * multiple, Duration: time.Second, Patience: time.Second}, 0, samples)
	r.Multiple, r.Rate = multiple, 100*multiple
	r.Policy = r.load()
	return r
}

func TestConclude(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	below := outcomes(0.5, 50, 0, 0)
	teapot, gone := &lab.StatusError{Status: 418}, errors.New("connection refused")
	undated := outcomes(2, 100, 0, 0)
	undated.Shed = 100 // without a Retry-After
	for _, tt := range []struct {
		name          string
		rows          []urlRow
		goodput, next string // parts of them
		doubt         string
	}{
		{"protected", []urlRow{below, outcomes(2, 100, 100, 0)},
			"it stays near the capacity up to 200.0/s, 2 times as much: a plateau", "just above the capacity", ""},
		{"refusals that say nothing", []urlRow{below, undated}, "a plateau", "say in every refusal when to come back", ""},
		{"a plateau of those who wait", []urlRow{below, outcomes(2, 95, 0, 105)}, "a plateau", "clients learn of the overload only by waiting", ""},
		{"unprotected", []urlRow{below, outcomes(1.5, 30, 0, 120)},
			"at 150.0/s, 1.5 times the capacity, it falls to 30.0/s: a cliff", "this service has an unbounded line", ""},
		{"further down", []urlRow{below, outcomes(1.5, 80, 0, 70), outcomes(4, 10, 0, 390)},
			"it falls to 80.0/s, and at 400.0/s to 10.0/s: a cliff", "an unbounded line", ""},
		{"the line is too long", []urlRow{below, outcomes(2, 60, 50, 90)}, "to 60.0/s: a slope", "make the line shorter, or limit the wait", ""},
		{"dear refusals", []urlRow{below, outcomes(4, 60, 340, 0)}, "to 60.0/s: a slope", "refuse earlier, before the work begins", ""},
		{"it breaks", []urlRow{below, outcomes(2, 60, 0, 0, teapot, gone, gone)}, "a slope", "find out what the errors are", ""},
		{"a line that grows", []urlRow{below, outcomes(1.5, 150, 0, 0)}, "up to 150.0/s, above the capacity", "", "a longer -duration tells which"},
		{"a line that grew until it broke", []urlRow{outcomes(1.5, 150, 0, 0), outcomes(4, 10, 0, 390)},
			"to 10.0/s: a cliff; with less than that, a line was still growing", "an unbounded line", ""},
		{"short", []urlRow{outcomes(0.5, 20, 30, 0)}, "of 50.0/s, which is below the capacity, only 20.0/s are answered in time", "measure the capacity again", ""},
		{"no overload", []urlRow{below}, "it keeps up with the loads, up to 50.0/s", "", "there was no overload to see"},
		{"refused", []urlRow{outcomes(0.5, 0, 50, 0)}, "only 0.0/s", "", "everybody was refused"},
		{"silent", []urlRow{outcomes(0.5, 0, 0, 50)}, "only 0.0/s", "", "nobody was answered in time"},
		{"gone", []urlRow{outcomes(0.5, 0, 0, 0, gone, gone)}, "only 0.0/s", "", "there was no answer at all"},
		{"out of ports", []urlRow{below, outcomes(2, 100, 99, 0, errors.New("cannot assign requested address"))}, "a plateau", "", "1 of the requests failed on this side"},
		{"nothing", nil, "", "", "no load was sent"},
	} {
		step := lab.NewStep(9, "sweep", "?")
		var stdout bytes.Buffer
		require.NoError(t, step.Begin(nil, &stdout, io.Discard))
		next := conclude(step, swept{100, "as given", tt.rows, 0, true})
		checks, verdict := step.Results()
		assert.Equal(t, "100.0/s, as given", checks[0].Measured)
		if len(tt.rows) > 0 {
			assert.Equal(t, "goodput", checks[1].Claim)
			assert.Contains(t, checks[1].Measured, tt.goodput, tt.name)
		}
		assert.Contains(t, next, tt.next, tt.name)
		if tt.doubt == "" {
			assert.Equal(t, lab.Found, verdict, tt.name)
			continue
		}
		assert.Equal(t, lab.Inconclusive, verdict, tt.name)
		assert.ErrorIs(t, step.End(t.Context(), next), lab.ErrInconclusive)
		assert.Contains(t, flat(stdout.String()), tt.doubt, tt.name)
	}
}

func TestRefusals(t *testing.T) {
	for want, rows := range map[string][]urlRow{
		"none seen": {outcomes(1, 100, 0, 0)},
		"all 5 say when to come back (Retry-After)": {outcomes(1, 95, 2, 0), outcomes(2, 95, 3, 0)},
	} {
		assert.Equal(t, want, swept{rows: rows}.total().refusals())
	}
	assert.Equal(t, `1 of 3 say when to come back (Retry-After); the first was a 429, Retry-After "soon"`,
		totals{shed: 3, Failures: lab.Failures{WithRetryAfter: 1}, refusal: &lab.Refusal{Status: 429, RetryAfter: "soon"}}.refusals())
}

func TestPerSecond(t *testing.T) {
	for rate, want := range map[float64]string{1000: "1000/s", 1000.04: "1000/s", 155.44: "155.4/s", 29896.2: "29896.2/s", 0.5: "0.5/s"} {
		assert.Equal(t, want, perSecond(rate))
	}
}
