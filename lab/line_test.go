package lab

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLineOfNoPlaces(t *testing.T) {
	var l line // the zero value has none
	assert.False(t, l.join())
	assert.Zero(t, l.length.Load())
	assert.Zero(t, l.peak.Load())
}

func TestLineCountsAndRemembersItsPeak(t *testing.T) {
	l := line{places: 2}
	assert.True(t, l.join())
	assert.True(t, l.join())
	assert.False(t, l.join(), "a third in a line of two")
	l.leave()
	assert.True(t, l.join(), "after one has left")
	l.leave()
	l.leave()
	assert.EqualValues(t, 0, l.length.Load())
	assert.EqualValues(t, 2, l.peak.Load())
}

// A line of any length has no special case: the limit is a number nobody reaches.
func TestLineWithoutALimit(t *testing.T) {
	l := line{places: math.MaxInt64}
	for range 1000 {
		assert.True(t, l.join())
	}
	assert.EqualValues(t, 1000, l.peak.Load())
}

// Case C3: however many come at once, exactly as many join as there are places.
func TestLineIsNeverTooLong(t *testing.T) {
	const places, crowd, rounds = 3, 50, 200
	for range rounds {
		l := line{places: places}
		var joined atomic.Int64
		var wg sync.WaitGroup
		start := make(chan struct{})
		for range crowd {
			wg.Go(func() {
				<-start
				if l.join() {
					joined.Add(1)
				}
			})
		}
		close(start)
		wg.Wait()
		assert.EqualValues(t, places, joined.Load())
		assert.EqualValues(t, places, l.length.Load())
		assert.EqualValues(t, places, l.peak.Load())
	}
}

// The peak is exact also when the line is short again by the time it is noted:
// each of the crowd joins and leaves at once.
func TestLinePeakIsNeverAboveThePlaces(t *testing.T) {
	const places, crowd = 3, 50
	l := line{places: places}
	var wg sync.WaitGroup
	for range crowd {
		wg.Go(func() {
			for range 100 {
				if l.join() {
					l.leave()
				}
			}
		})
	}
	wg.Wait()
	assert.Zero(t, l.length.Load())
	assert.LessOrEqual(t, l.peak.Load(), int64(places))
	assert.Positive(t, l.peak.Load())
}
