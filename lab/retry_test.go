package lab

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// always is a source of one random number.
func always(x float64) func() float64 { return func() float64 { return x } }

var almostOne = math.Nextafter(1, 0)

// Case R2: every wait is above 0 and at most the cap, for any try and any luck.
func TestDelayIsInRange(t *testing.T) {
	for _, random := range []float64{0, 1e-300, 0.5, almostOne} {
		r := Retry{Base: 100 * time.Millisecond, Cap: 10 * time.Second, Random: always(random)}.withDefaults()
		for _, try := range []int{math.MinInt, -1, 0, 1, 2, 10, 37, 63, 64, 65, 1000, math.MaxInt} {
			wait := r.delay(try, 0)
			assert.Positive(t, wait, "try %d, random %v", try, random)
			assert.LessOrEqual(t, wait, r.Cap, "try %d, random %v", try, random)
		}
	}
}

func TestDelayDoubles(t *testing.T) {
	r := Retry{Base: 100 * time.Millisecond, Cap: time.Second, Random: always(0)}.withDefaults() // the longest waits
	for i, want := range []time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms, time.Second, time.Second} {
		assert.Equal(t, want, r.delay(i+1, 0), "try %d", i+1)
	}
	r.Random = always(0.75)
	assert.Equal(t, 25*time.Millisecond, r.delay(1, 0), "full jitter: anything up to it")
}

func TestDelayAfterRetryAfter(t *testing.T) {
	for _, c := range []struct {
		asked, least, most time.Duration
	}{
		{-time.Second, 1, 100 * ms}, // no such thing
		{0, 1, 100 * ms},
		{1, 2, 100*ms + 1},
		{time.Second, time.Second + 1, 2 * time.Second}, // spread as widely as it is long
		{30 * time.Second, 30*time.Second + 1, time.Minute},
	} {
		r := Retry{}.withDefaults()
		r.Random = always(almostOne)
		assert.Equal(t, c.least, r.delay(1, c.asked), "least after %v", c.asked)
		r.Random = always(0)
		assert.Equal(t, c.most, r.delay(1, c.asked), "most after %v", c.asked)
	}
}

func TestDefaults(t *testing.T) {
	r := Retry{Cap: math.MaxInt64}.withDefaults()
	assert.Equal(t, 3, r.Tries)
	assert.Equal(t, 100*ms, r.Base)
	assert.Equal(t, 24*time.Hour, r.Cap)
	assert.Equal(t, 30*time.Second, Retry{}.withDefaults().Cap)

	r.Base = 48 * time.Hour // above the cap
	r.Random = always(0)
	assert.Equal(t, r.Cap, r.delay(1, 0))
}

// Do sends again what was shed, and nothing else.
func TestRetryDo(t *testing.T) {
	const s = time.Second
	shed, failed := error(&Overloaded{RetryAfter: s}), errors.New("a fault")
	polite := Retry{Budget: new(RetryBudget)}
	for _, c := range []struct {
		name        string
		retry       Retry
		patience    time.Duration
		answers     []error // the last one is the wanted result
		least, most time.Duration
	}{
		{"served at once", polite, time.Hour, []error{nil}, 0, 0},
		{"served in the end", polite, time.Hour, []error{shed, shed, nil}, 2 * s, 4 * s},
		{"no more tries", polite, time.Hour, []error{shed, shed, shed}, 2 * s, 4 * s},
		{"one try", Retry{Tries: 1, Budget: new(RetryBudget)}, time.Hour, []error{shed}, 0, 0},
		{"no budget", Retry{}, time.Hour, []error{shed}, 0, 0},
		{"a fault", polite, time.Hour, []error{failed}, 0, 0},
		{"a fault later", polite, time.Hour, []error{shed, failed}, s, 2 * s},
		{"no patience", polite, s, []error{shed}, 0, 0},
		{"asked for 31 s", polite, time.Hour, []error{&Overloaded{RetryAfter: 31 * s}}, 0, 0},
		{"asked for nothing", polite, time.Hour, []error{&Overloaded{}, nil}, 1, 100 * ms},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), c.patience)
			defer cancel()
			start, sends := time.Now(), 0
			err := c.retry.Do(ctx, func(context.Context) error {
				sends++
				if sends > len(c.answers) {
					return errors.New("one too many")
				}
				return c.answers[sends-1]
			})
			took := time.Since(start)
			assert.Equal(t, len(c.answers), sends, c.name)
			assert.Equal(t, c.answers[len(c.answers)-1], err, c.name)
			assert.GreaterOrEqual(t, took, c.least, c.name)
			assert.LessOrEqual(t, took, c.most, c.name)
		})
	}
}

// A caller that leaves while it waits leaves at once.
func TestRetryDoCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(300*ms, cancel)
		start := time.Now()
		shed := &Overloaded{RetryAfter: time.Second}
		err := Retry{Budget: new(RetryBudget)}.Do(ctx, func(context.Context) error { return shed })
		assert.Equal(t, error(shed), err)
		assert.Equal(t, 300*ms, time.Since(start))
	})
}

func TestSeeded(t *testing.T) {
	a, b, other := Seeded(1, 2), Seeded(1, 2), Seeded(1, 3)
	same := 0
	for range 100 {
		x := a()
		assert.Equal(t, x, b())
		assert.True(t, x >= 0 && x < 1, "%v", x)
		if x == other() {
			same++
		}
	}
	assert.Less(t, same, 5, "another stream has other numbers")

	var wg sync.WaitGroup // for the race detector
	for range 64 {
		wg.Go(func() { a() })
	}
	wg.Wait()
}
