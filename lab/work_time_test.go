package lab

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// However much slower the work becomes, one such work is enough to expect it.
func TestOneSlowWorkIsExpected(t *testing.T) {
	for _, factor := range []time.Duration{1, 2, 4, 10, 1000} {
		var w workTime
		for range 50 {
			w.add(50 * time.Millisecond)
		}
		slow := factor * 50 * time.Millisecond
		w.add(slow)
		assert.GreaterOrEqual(t, w.estimate().longest, slow, "%d times slower", factor)
	}
}

// It takes about thirty to expect no more than there is.
func TestWorkTimeComesDown(t *testing.T) {
	var w workTime
	for range 50 {
		w.add(200 * time.Millisecond)
	}
	for range 30 {
		w.add(50 * time.Millisecond)
	}
	assert.InDelta(t, 50, float64(ToMillis(w.estimate().mean)), 5)
	assert.Less(t, w.estimate().longest, 80*time.Millisecond)
	for range 50 {
		w.add(50 * time.Millisecond)
	}
	assert.InDelta(t, 55, float64(ToMillis(w.estimate().longest)), 0.1, "the tenth that is left")
}

// Of work whose time is spread as it is for independent arrivals, nearly all is shorter.
func TestLongestWork(t *testing.T) {
	var w workTime
	random := Seeded(1, 1)
	shorter := 0
	for range 10_000 {
		took := time.Duration(-math.Log(1-random()) * float64(50*time.Millisecond))
		if took <= w.estimate().longest {
			shorter++
		}
		w.add(took)
	}
	assert.InDelta(t, 0.96, float64(shorter)/10_000, 0.02)
}

func TestExpectedWait(t *testing.T) {
	for _, c := range []struct{ running, waiting, want int }{
		{0, 0, 0},
		{4, 0, 0},
		{4, 8, 100}, // 4 slots finish 80/s
		{1, 8, 400},
		{0, 3, 0}, // no slot is taken: no wait, and no division by zero
	} {
		got := estimate{mean: 50 * time.Millisecond}.wait(Stats{Running: c.running, Waiting: c.waiting})
		assert.Equal(t, time.Duration(c.want)*time.Millisecond, got, "%+v", c)
	}
	endless := estimate{mean: 24 * time.Hour}.wait(Stats{Running: 1, Waiting: 1 << 40})
	assert.Positive(t, endless, "it does not overflow")
}

func TestStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w workTime
		assert.True(t, w.estimate().stale(), "nothing is known")
		w.add(time.Millisecond)
		time.Sleep(time.Second)
		assert.False(t, w.estimate().stale())
		time.Sleep(time.Nanosecond)
		assert.True(t, w.estimate().stale())
	})
}
