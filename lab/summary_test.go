package lab

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ms = time.Millisecond

func TestPercentile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100-i) * ms // 100 ms … 1 ms, not sorted
	}
	for _, c := range []struct {
		values []time.Duration
		p      int
		want   string
	}{
		{nil, 50, "-"},
		{[]time.Duration{7 * ms}, 50, "7"},
		{[]time.Duration{7 * ms}, 99, "7"},
		{[]time.Duration{7 * ms}, 100, "7"},
		{[]time.Duration{9 * ms, 7 * ms}, 50, "7"},
		{[]time.Duration{9 * ms, 7 * ms}, 51, "9"},
		{[]time.Duration{9 * ms, 7 * ms}, 99, "9"},
		{hundred, 50, "50"},
		{hundred, 99, "99"},
		{hundred, 100, "100"},
	} {
		assert.Equal(t, c.want, percentile(c.values, c.p).String(), "p%d of %d values", c.p, len(c.values))
	}
}

// G5: a report each time, whatever there is to report.
func TestSummaryOfFew(t *testing.T) {
	load := OpenLoop{Rate: 10, Duration: time.Second, Patience: time.Second}
	samples := func(outcomes ...Outcome) (s []Sample) {
		for i, o := range outcomes {
			s = append(s, Sample{Due: load.Due(i), Latency: 20 * ms, Outcome: o, Done: o == OK})
		}
		return s
	}
	for _, c := range []struct {
		name string
		have []Sample
		want string
	}{
		{"nothing sent", samples(NotSent, NotSent), "test 0.0 0 0 0 2 - - 0 0"},
		{"one answer", samples(OK), "test 1.0 1 0 0 20 20 0 0"},
		{"two answers", samples(OK, OK), "test 2.0 2 0 0 20 20 0 0"},
		{"all shed", samples(Shed, Shed), "test 0.0 0 2 0 - - 0 0"},
		{"all timeouts", samples(Timeout, Timeout), "test 0.0 0 0 2 - - 0 0"},
		{"all errors", samples(Failed, Failed), "test 0.0 0 0 0 2 - - 0 0"},
		{"none at all", nil, "test 0.0 0 0 0 - - 0 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Summarize("test", load, 0, c.have)
			assert.Equal(t, c.want, lastLine(SummaryTable(s)))
			document, err := json.Marshal(s)
			require.NoError(t, err)
			assert.Equal(t, s.OK == 0, strings.Contains(string(document), `"p50_ms":null`))
		})
	}
}

// Whatever the samples are, every one is counted once.
func TestSummaryAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	load := OpenLoop{Rate: 100, Duration: 3 * time.Second, Patience: time.Second}
	for range 200 {
		samples := make([]Sample, load.Count())
		cut := r.IntN(2 * len(samples))
		for i := range samples {
			samples[i] = Sample{Due: load.Due(i), Late: time.Duration(r.IntN(20)) * ms,
				Latency: time.Duration(r.IntN(1000)) * ms, Outcome: OK + Outcome(r.IntN(4)), Done: r.IntN(2) == 0}
			if i >= cut {
				samples[i] = Sample{Due: load.Due(i)}
			}
		}
		s := Summarize("test", load, time.Second, samples)
		assert.Equal(t, len(samples), s.Offered)
		assert.Equal(t, s.Offered, s.OK+s.Shed+s.Timeout+s.Failed+s.NotSent)
		assert.LessOrEqual(t, s.Wasted, s.Work)
		arrived, ok := 0, 0
		for _, x := range s.BySecond {
			arrived += x.Arrived
			ok += x.OK
		}
		assert.Equal(t, s.Offered-s.NotSent, arrived)
		assert.Equal(t, s.OK, ok)
		allArrived, allOK := s.Between(0, load.Duration)
		assert.Equal(t, []int{arrived, ok}, []int{allArrived, allOK})
	}
}

// Goodput is per second of the time in which requests came, also when that was cut
// short, and steady goodput leaves the warm-up out of both.
func TestGoodputWindow(t *testing.T) {
	load := OpenLoop{Rate: 10, Duration: 4 * time.Second, Patience: time.Second}
	samples := make([]Sample, 40)
	for i := range samples {
		samples[i] = Sample{Due: load.Due(i), Outcome: OK}
		if i < 10 {
			samples[i].Outcome = Timeout
		}
	}
	s := Summarize("whole", load, time.Second, samples)
	assert.InDelta(t, 7.5, s.Goodput, 1e-9)
	assert.InDelta(t, 10, s.Steady, 1e-9)

	for i := 20; i < 40; i++ {
		samples[i].Outcome = NotSent
	}
	s = Summarize("half", load, time.Second, samples)
	assert.InDelta(t, 5, s.Goodput, 1e-9)
	assert.InDelta(t, 10, s.Steady, 1e-9)
}

func TestSecondsWithoutRequests(t *testing.T) {
	samples := []Sample{{Due: 0, Outcome: OK}, {Due: 2500 * ms, Outcome: Shed}}
	assert.Equal(t, []Second{{0, 1, 1}, {1, 0, 0}, {2, 1, 0}}, bySecond(samples))
}

func TestMillis(t *testing.T) {
	assert.Equal(t, "50", ToMillis(50*ms+70*time.Microsecond).String())
	text, err := json.Marshal(ToMillis(50*ms + 70*time.Microsecond + 1))
	require.NoError(t, err)
	assert.Equal(t, "50.07", string(text))
}

// A collapse begins with the first request from which on none is answered in time.
func TestCollapse(t *testing.T) {
	for _, c := range []struct {
		name     string
		outcomes []Outcome
		want     string
	}{
		{"nothing", nil, "none"},
		{"nothing sent", []Outcome{NotSent, NotSent}, "none"},
		{"all answered", []Outcome{OK, OK, OK}, "none"},
		{"the last answered", []Outcome{OK, Timeout, OK}, "none"},
		{"from the third on", []Outcome{OK, OK, Timeout, Shed, Failed}, "200ms"},
		{"after a first miss", []Outcome{OK, Timeout, OK, Timeout}, "300ms"},
		{"none answered", []Outcome{Timeout, Timeout}, "0s"},
		{"cut short", []Outcome{OK, Timeout, NotSent}, "100ms"},
		{"cut short before", []Outcome{OK, OK, NotSent}, "none"},
	} {
		load := OpenLoop{Rate: 10, Duration: time.Second, Patience: time.Second}
		var samples []Sample
		for i, o := range c.outcomes {
			samples = append(samples, Sample{Due: load.Due(i), Outcome: o})
		}
		got := "none"
		if due, ok := Summarize("test", load, 0, samples).Collapse(); ok {
			got = due.String()
		}
		assert.Equal(t, c.want, got, c.name)
	}
}
