package main

import (
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
		golden.Case{Name: "does-not-hold", Args: []string{"-service-time=50.07ms", "-capacity=20"}, Want: lab.ErrDoesNotHold},
		golden.Case{Name: "not-covered", Args: append(golden.Measured, "-slow-after=7s"), Want: lab.ErrInconclusive},
		golden.Case{Name: "cut-short", Args: golden.Measured, Interrupt: 4500 * time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func TestFigures(t *testing.T) {
	rows := golden.Rows(t, run, golden.Measured...)
	require.Len(t, rows, 16)
	assert.Equal(t, golden.Row{OK: 275, Shed: 220, Timeout: 16, P50: 266, P99: 530, Wasted: 12, PeakLine: 10}, rows[2])
	assert.Equal(t, golden.Row{OK: 302, Shed: 203, Timeout: 6, P50: 308, P99: 1546, Wasted: 1, PeakLine: 26}, rows[6])
	assert.Equal(t, golden.Row{OK: 637, Shed: 615, Timeout: 26, P50: 212, P99: 368, Wasted: 13, PeakLine: 12}, rows[9])
	assert.Equal(t, golden.Row{OK: 718, Shed: 548, Timeout: 12, P50: 1027, P99: 1272, PeakLine: 79}, rows[14])
}

// The claims are about the gate, not about the one crowd of the goldens.
func TestOtherCrowds(t *testing.T) {
	for _, seed := range []string{"1", "2", "3"} {
		text, err := golden.Step(t, run, 0, append(golden.Measured, "-seed", seed)...)
		assert.NoError(t, err, text)
	}
}

func TestUsage(t *testing.T) {
	_, err := golden.Step(t, run, 0, append(golden.Measured, "-shortest-patience=3s")...)
	assert.EqualError(t, err, "-shortest-patience is 3s, want at most -client-timeout, which is 2s")
	status, _ := lab.ExitStatus(err)
	assert.Equal(t, 2, status)
	_, err = golden.Step(t, run, 0, append(golden.Measured, "-duration=10ms", "-warm-up=1ms", "-multiple=0.5")...)
	assert.EqualError(t, err, "open loop: 39.95/s for 10ms is not one request")
}

// Two slots, three requests: one fits behind the others, and one does not. Nobody is
// made to wait for whom no time is left.
func TestAllKnowingLine(t *testing.T) {
	const ms = time.Millisecond
	patience := []time.Duration{200 * ms, 200 * ms, 150 * ms, 151 * ms, 110 * ms}
	d := &day{slots: 2, serviceTime: lab.Constant(100 * ms), crowd: crowd{load: lab.OpenLoop{
		Rate: 1000, PatienceOf: func(i int) time.Duration { return patience[i] },
	}}}
	r := result{
		samples: []lab.Sample{{Outcome: lab.OK}, {Outcome: lab.OK}, {Outcome: lab.OK}, {Outcome: lab.Shed}, {Outcome: lab.NotSent}},
		reached: []time.Duration{0, 50 * ms, 51 * ms, 52 * ms, 0},
	}
	// Slots are free at 100 and 150 ms. Number 2 would end at 200, its client leaves
	// at 152; number 3 likewise.
	assert.Equal(t, []bool{true, true, false, false, false}, d.served(r))
	patience[3] = 198 * ms // until 201 ms
	assert.Equal(t, []bool{true, true, false, true, false}, d.served(r), "number 2 takes no place")
	refused, served := d.refused(r)
	assert.Equal(t, 1, refused)
	assert.Equal(t, 3, served)
}

func TestForeseeable(t *testing.T) {
	const s = time.Second
	d := &day{slowAfter: 3 * s, serviceTime: lab.Constant(s)}
	wasted, used := lab.Sample{Outcome: lab.Timeout, Done: true}, lab.Sample{Outcome: lab.OK, Done: true}
	r := result{
		began:   []time.Duration{1 * s, 4 * s, 4*s + 1, 5*s - 1, 5 * s},
		samples: []lab.Sample{wasted, used, wasted, wasted, wasted},
	}
	assert.Equal(t, 2, d.foreseeable(r), "the first and the last")
	d.slowAfter = 0
	assert.Equal(t, 4, d.foreseeable(r))
}

func TestDeliveredCountsByTheAnswer(t *testing.T) {
	const s = time.Second
	samples := []lab.Sample{
		{Due: 0, Latency: s / 2, Outcome: lab.OK}, // in the warm-up
		{Due: s / 2, Latency: s / 2, Outcome: lab.OK},
		{Due: 2 * s, Latency: s / 2, Outcome: lab.OK},
		{Due: 2 * s, Latency: s / 2, Outcome: lab.Timeout},
		{Due: 3 * s, Latency: 2 * s, Outcome: lab.OK}, // after the load
	}
	assert.InDelta(t, 0.5, delivered(samples, s, 5*s), 1e-9)
	samples = append(samples, lab.Sample{Due: 3 * s, Outcome: lab.NotSent})
	assert.InDelta(t, 1, delivered(samples, s, 5*s), 1e-9, "cut short")
	assert.Zero(t, delivered(samples, 3*s, 5*s))
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-service-time=50.07ms", "-duration=8s", "-client-timeout=2s", "-warm-up=1s",
		"-shortest-patience=200ms", "-gateway=300ms", "-slow-after=3s")
}
