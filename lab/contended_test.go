package lab_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/lab"
)

// work does n pieces at once and returns how long they took.
func work(c *lab.Contended, n int) time.Duration {
	start := time.Now()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { c.Do(context.Background(), 1) })
	}
	wg.Wait()
	return time.Since(start)
}

func TestContendedTakesLongerTheMoreThereAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &lab.Contended{Alone: 100 * time.Millisecond, Knee: 4}
		for _, tt := range []struct {
			n    int
			want time.Duration
		}{
			{1, 100 * time.Millisecond},
			{2, 112500 * time.Microsecond},
			{4, 175 * time.Millisecond},
			{8, 450 * time.Millisecond},
		} {
			assert.InDelta(t, tt.want, work(c, tt.n), 100, "%d at work", tt.n)
			assert.Equal(t, tt.want, c.Time(tt.n))
		}
		assert.InDelta(t, 0, c.WorkSlower(), 1e-6)
	})
}

// The most is done with as many at work as the knee says. Half as many and twice as
// many do about the same.
func TestContendedKnee(t *testing.T) {
	c := &lab.Contended{Alone: 50 * time.Millisecond, Knee: 16}
	for n := 1; n <= 64; n++ {
		if n != 16 {
			assert.Less(t, c.Throughput(n), c.Throughput(16), "%d at work", n)
		}
	}
	assert.InEpsilon(t, c.Throughput(8), c.Throughput(32), 0.1)
	assert.Less(t, c.Throughput(8), 0.85*c.Throughput(16))
}

// Work that has begun is slowed down by what comes later, and gets faster again when
// some of it leaves.
func TestContendedSlowsDownWhatHasBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &lab.Contended{Alone: 100 * time.Millisecond, Knee: 2} // two at work take 1.5 times as long
		start := time.Now()
		first := make(chan time.Duration, 1)
		go func() { c.Do(t.Context(), 1); first <- time.Since(start) }()
		time.Sleep(40 * time.Millisecond)

		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		assert.ErrorIs(t, c.Do(ctx, 1), context.DeadlineExceeded) // in 30 ms the first gets on by 20
		assert.InDelta(t, 110*time.Millisecond, <-first, 100)

		start = time.Now()
		go func() { c.Do(t.Context(), 1); first <- time.Since(start) }()
		time.Sleep(50 * time.Millisecond)
		c.Slow(3)
		assert.InDelta(t, 200*time.Millisecond, <-first, 100)
	})
}
