package lab_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

const alone = 100 * time.Millisecond

var usual = lab.Adaptation{Min: 2, Max: 100, Tolerance: 1.25, Round: 4, Probe: time.Minute}

// A driver is a Gradient and the time it is told.
type driver struct {
	*lab.Gradient
	now time.Time
}

// drive returns a Gradient that knows the time alone.
func drive(t *testing.T, limit int, a lab.Adaptation) *driver {
	g, err := lab.NewGradient(limit, a)
	require.NoError(t, err)
	d := &driver{g, time.Unix(1e9, 0)}
	assert.True(t, d.Probing())
	assert.Equal(t, a.Min, d.Limit(), "while the time alone is measured")
	d.measure(alone)
	assert.Equal(t, limit, d.Limit())
	assert.Equal(t, alone, d.Alone())
	return d
}

// measure has as much done as it takes to measure the time alone.
func (d *driver) measure(took time.Duration) {
	for range 8 {
		d.one(took, 1, false)
	}
}

// one piece of work begins with running at work, and ends when it took so long.
func (d *driver) one(took time.Duration, running int, failed bool) {
	number := d.Begin(running)
	d.now = d.now.Add(took)
	d.End(d.now, took, number, failed)
}

// round is work with as many at it as the limit allows, until the round ends with it.
func (d *driver) round(took time.Duration) {
	for end := d.now.Add(4 * alone); d.now.Before(end); {
		d.one(took, d.Limit(), false)
	}
}

func TestGradientFormula(t *testing.T) {
	for _, tt := range []struct {
		limit int
		took  time.Duration
		want  int
	}{
		{16, 100 * time.Millisecond, 24}, // 1.25 × 16 + 4
		{16, 200 * time.Millisecond, 14}, // 1.25 / 2 × 16 + 4
		{16, 250 * time.Millisecond, 12}, // 0.5 × 16 + 4
		{16, time.Second, 12},            // not below 0.5
		{16, 80 * time.Millisecond, 29},  // 1.25 / 0.8 × 16 + 4
		{4, 400 * time.Millisecond, 4},   // where even the lowest gradient gets no lower
		{2, time.Second, 2},              // Min
		{81, 100 * time.Millisecond, 100},
	} {
		d := drive(t, tt.limit, usual)
		d.round(tt.took)
		if d.Probing() {
			d.measure(alone)
		}
		assert.Equal(t, tt.want, d.Limit(), "%d, %v", tt.limit, tt.took)
	}
}

// From any limit it comes to rest where the gradient and the square root are even.
func TestGradientComesToRest(t *testing.T) {
	const took = alone * 5 / 3 // gradient 0.75, and 0.75 × 16 + 4 is 16
	for _, start := range []int{4, 16, 100} {
		d := drive(t, start, usual)
		for range 100 {
			d.round(took)
			if d.Probing() {
				d.measure(alone)
			}
		}
		assert.InDelta(t, 16, d.Limit(), 1, "from %d", start)
	}
}

func TestGradientWaitsForTheRound(t *testing.T) {
	d := drive(t, 16, usual)
	for range 3 {
		d.one(alone, 16, false)
		assert.Equal(t, 16, d.Limit())
	}
	d.one(alone, 16, false)
	assert.Equal(t, 24, d.Limit())
}

func TestGradientLeavesALimitThatNobodyReached(t *testing.T) {
	for _, took := range []time.Duration{alone, 10 * alone} {
		d := drive(t, 16, usual)
		for range 100 {
			d.one(took, 15, false)
			if d.Probing() {
				d.measure(alone)
			}
		}
		assert.Equal(t, 16, d.Limit(), "%v", took)
	}
}

// Case F3. A refusal by what is behind the service is no sample, and a timeout is one.
func TestGradientFailures(t *testing.T) {
	d := drive(t, 16, usual)
	for range 10_000 {
		d.one(time.Millisecond, 16, true)
	}
	assert.Equal(t, 16, d.Limit())

	d.one(2*alone, 16, true) // most of the round, if not all of it, runs into a deadline
	d.one(2*alone, 16, true)
	d.one(alone, 16, false)
	assert.Equal(t, 24-12, d.Limit()) // gradient 0.5
	for range 100 {
		d.one(2*alone, d.Limit(), true)
	}
	assert.Equal(t, 2, d.Limit(), "it measures the time alone, and nothing succeeds")
	d.measure(alone)
	assert.Greater(t, d.Limit(), 2)
}

// Failures alone measure nothing.
func TestGradientThatNeverSawASuccess(t *testing.T) {
	g, err := lab.NewGradient(16, usual)
	require.NoError(t, err)
	d := &driver{g, time.Unix(1e9, 0)}
	for range 100 {
		d.one(time.Second, 1, true)
	}
	assert.Equal(t, 2, d.Limit())
	assert.Zero(t, d.Alone())
}

func TestGradientMeasuresTheTimeAlone(t *testing.T) {
	t.Run("every Probe", func(t *testing.T) {
		d := drive(t, 16, usual)
		d.now = d.now.Add(time.Minute)
		d.one(alone, 3, false)
		assert.True(t, d.Probing())
		assert.Equal(t, 2, d.Limit())
		for range 100 {
			d.one(2*alone, 3, false) // those who are still here from before
		}
		assert.True(t, d.Probing())
		d.measure(2 * alone)
		assert.Equal(t, 2*alone, d.Alone())
		assert.Equal(t, 16, d.Limit())
	})
	t.Run("with few at work anyway", func(t *testing.T) {
		d := drive(t, 16, usual)
		for range 100 {
			d.one(3*alone, 2, false)
		}
		assert.Equal(t, 3*alone, d.Alone())
		assert.False(t, d.Probing())
	})
	t.Run("not where a crowd came meanwhile", func(t *testing.T) {
		d := drive(t, 16, usual)
		for range 100 {
			number := d.Begin(1)
			d.Begin(3)
			d.now = d.now.Add(time.Millisecond)
			d.End(d.now, 9*alone, number, false)
		}
		assert.Equal(t, alone, d.Alone())
	})
	t.Run("after three rounds in vain", func(t *testing.T) {
		d := drive(t, 64, usual)
		for range 3 {
			assert.False(t, d.Probing())
			d.round(4 * alone)
		}
		assert.True(t, d.Probing())
		d.measure(4 * alone)
		before := d.Limit()
		for range 4 {
			d.one(4*alone, d.Limit(), false)
		}
		assert.Greater(t, d.Limit(), before, "what was slow is normal now")
	})
	t.Run("when it is beaten", func(t *testing.T) {
		d := drive(t, 16, usual)
		d.round(alone)
		assert.False(t, d.Probing())
		d.round(alone * 9 / 10)
		assert.True(t, d.Probing())
	})
}

// Whatever it is told, the limit stays in its bounds.
func TestGradientStaysInBounds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	took := []time.Duration{0, 1, time.Microsecond, time.Second, math.MaxInt64 / 2, -time.Second}
	for range 200 {
		a := lab.Adaptation{
			Min: 1 + random.IntN(3), Max: 3 + random.IntN(50), Tolerance: 1 + random.ExpFloat64(),
			Round: 10 * random.Float64(), Probe: time.Duration(1 + random.IntN(int(time.Minute))),
		}
		g, err := lab.NewGradient(random.IntN(100), a)
		require.NoError(t, err)
		d := &driver{g, time.Unix(1e9, 0)}
		for range 200 {
			number := d.Begin(1 + random.IntN(60))
			d.now = d.now.Add(time.Duration(random.IntN(int(time.Second))))
			d.End(d.now, took[random.IntN(len(took))], number, random.IntN(4) == 0)
			require.GreaterOrEqual(t, d.Limit(), a.Min)
			require.LessOrEqual(t, d.Limit(), a.Max)
		}
	}
}

func TestBadAdaptation(t *testing.T) {
	for _, tt := range []struct {
		change func(a *lab.Adaptation)
		want   string
	}{
		{func(a *lab.Adaptation) { *a = lab.Adaptation{} }, "adaptation: Min is 0, want at least 1"},
		{func(a *lab.Adaptation) { a.Max = 1 }, "adaptation: Max is 1, want at least Min, which is 2"},
		{func(a *lab.Adaptation) { a.Tolerance = 1 }, "adaptation: Tolerance is 1, want a finite number above 1"},
		{func(a *lab.Adaptation) { a.Tolerance = math.NaN() }, "adaptation: Tolerance is NaN, want a finite number above 1"},
		{func(a *lab.Adaptation) { a.Round = 0 }, "adaptation: Round is 0, want a finite number above 0"},
		{func(a *lab.Adaptation) { a.Round = math.Inf(1) }, "adaptation: Round is +Inf, want a finite number above 0"},
		{func(a *lab.Adaptation) { a.Probe = 0 }, "adaptation: Probe is 0s, want more than 0s"},
	} {
		a := usual
		tt.change(&a)
		_, err := lab.NewAdaptive(lab.Limits{Slots: 4}, a)
		assert.EqualError(t, err, tt.want)
	}
	_, err := lab.NewAdaptive(lab.Limits{}, usual)
	assert.EqualError(t, err, "limits: Slots is 0, want at least 1")
}
