package lab

import (
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// retriesOf makes calls that are all turned away, tries times each at most, and
// returns how many retries the budget paid for.
func retriesOf(b *RetryBudget, calls, tries int) (retries int) {
	for range calls {
		b.deposit()
		for try := 1; try < tries && b.withdraw(); try++ {
			retries++
		}
	}
	return retries
}

// Case R5: when everything is turned away, the retries are a tenth of the calls.
func TestBudgetWhenAllIsShed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(RetryBudget)
		retries := retriesOf(b, 1000, 3)
		assert.LessOrEqual(t, retries, 110)
		assert.GreaterOrEqual(t, retries, 109, "the burst of 10, and all deposits but the first, which found the bucket full")

		for range 1000 { // answered
			b.deposit()
		}
		assert.Zero(t, b.spent, "full again")
		assert.Equal(t, 10, retriesOf(b, 1, 100), "and no more than full")
	})
}

// Case R5: a client that makes one call a minute, which is always turned away,
// may always try again.
func TestBudgetOfARareCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(RetryBudget)
		for call := range 100 {
			assert.Positive(t, retriesOf(b, 1, 3), "call %d", call)
			time.Sleep(time.Minute)
		}
	})
}

// The retry that is free is one in half a minute, whatever the traffic.
func TestBudgetFreeRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &RetryBudget{Ratio: 0.001, Burst: 1}
		assert.True(t, b.withdraw(), "the burst")
		time.Sleep(30*time.Second - 1)
		assert.False(t, b.withdraw())
		time.Sleep(time.Nanosecond)
		assert.True(t, b.withdraw(), "free")
		assert.False(t, b.withdraw())
		assert.Equal(t, token, b.spent, "a free retry takes nothing")
	})
}

func TestBudgetSettings(t *testing.T) {
	for _, c := range []struct {
		budget *RetryBudget
		want   int // retries of 100 calls
	}{
		{nil, 0},
		{&RetryBudget{}, 19},
		{&RetryBudget{Ratio: 0.1, Burst: 10}, 19},
		{&RetryBudget{Ratio: -1, Burst: -1}, 19},
		{&RetryBudget{Ratio: math.NaN()}, 19},
		{&RetryBudget{Ratio: 0.5, Burst: 1}, 50},
		{&RetryBudget{Ratio: 1}, 109},
		{&RetryBudget{Ratio: math.Inf(1)}, 109},
	} {
		assert.Equal(t, c.want, retriesOf(c.budget, 100, 3), "%v", c.budget)
	}
}

// Case R5: 64 goroutines at once. The race detector looks on.
func TestBudgetIsSafeForConcurrentUse(t *testing.T) {
	b := new(RetryBudget)
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for range 64 {
		wg.Go(func() {
			n := retriesOf(b, 100, 3)
			b.mu.Lock()
			assert.GreaterOrEqual(t, b.spent, 0, "no tokens above the burst")
			assert.LessOrEqual(t, b.spent, b.capacity(), "no tokens below 0")
			b.mu.Unlock()
			mu.Lock()
			total += n
			mu.Unlock()
		})
	}
	wg.Wait()
	assert.LessOrEqual(t, total, 10+64*100/10)
}
