package lab

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLineOfNoPlaces(t *testing.T) {
	var l line // the zero value has no slots
	assert.False(t, l.join(0))
	assert.Zero(t, l.length())
	assert.Zero(t, l.peak.Load())
}

func TestLineCountsAndRemembersItsPeak(t *testing.T) {
	l := line{slots: 1}
	assert.True(t, l.join(3))
	assert.Equal(t, 0, l.length(), "in a slot, not in line")
	assert.True(t, l.join(3))
	assert.True(t, l.join(3))
	assert.Equal(t, 2, l.length())
	assert.False(t, l.join(3), "a third in a line of two")
	l.leave()
	assert.True(t, l.join(3), "after one has left")
	for range 3 {
		l.leave()
	}
	assert.Equal(t, 0, l.length())
	assert.EqualValues(t, 2, l.peak.Load())
}

// A line of any length has no special case: the limit is a number nobody reaches.
func TestLineWithoutALimit(t *testing.T) {
	var l line
	for range 1000 {
		assert.True(t, l.join(math.MaxInt64))
	}
	assert.EqualValues(t, 1000, l.peak.Load())
}

func TestLimitsInside(t *testing.T) {
	for _, c := range []struct {
		limits Limits
		want   int64
	}{
		{Limits{Slots: 2}, 2},
		{Limits{Slots: 2, MaxWaiting: 3}, 2}, // MaxWait: 0, do not wait
		{Limits{Slots: 2, MaxWaiting: 3, MaxWait: 1}, 5},
		{Limits{Slots: 2, MaxWaiting: 3, MaxWait: NoLimit}, 5},
		{Limits{Slots: 2, MaxWaiting: NoLimit, MaxWait: NoLimit}, math.MaxInt64},
		{Limits{Slots: 2, MaxWaiting: math.MaxInt, MaxWait: NoLimit}, math.MaxInt64},
	} {
		assert.Equal(t, c.want, c.limits.inside(), "%+v", c.limits)
	}
}

// Case C3: however many come at once, exactly as many join as there are places.
func TestLineIsNeverTooLong(t *testing.T) {
	const places, crowd, rounds = 3, 50, 200
	for range rounds {
		var l line
		var joined atomic.Int64
		var wg sync.WaitGroup
		start := make(chan struct{})
		for range crowd {
			wg.Go(func() {
				<-start
				if l.join(places) {
					joined.Add(1)
				}
			})
		}
		close(start)
		wg.Wait()
		assert.EqualValues(t, places, joined.Load())
		assert.Equal(t, places, l.length())
		assert.EqualValues(t, places, l.peak.Load())
	}
}

// The peak is exact also when the line is short again by the time it is noted:
// each of the crowd joins and leaves at once.
func TestLinePeakIsNeverAboveThePlaces(t *testing.T) {
	const places, crowd = 3, 50
	var l line
	var wg sync.WaitGroup
	for range crowd {
		wg.Go(func() {
			for range 100 {
				if l.join(places) {
					l.leave()
				}
			}
		})
	}
	wg.Wait()
	assert.Zero(t, l.length())
	assert.LessOrEqual(t, l.peak.Load(), int64(places))
	assert.Positive(t, l.peak.Load())
}

// Those who share a line may have different limits. Each of them holds for all who
// are inside, whoever they are.
func TestLineWithTwoLimits(t *testing.T) {
	l := line{slots: 1}
	assert.True(t, l.join(2))
	assert.True(t, l.join(3))
	assert.False(t, l.join(2))
	assert.True(t, l.join(3))
	assert.False(t, l.join(3))
	l.leave()
	assert.False(t, l.join(2), "two are inside")
}
