package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"
)

// Retry says when a request that was turned away is sent again. It waits as long
// as the service asked for, and a random time on top, so that those who were
// turned away together do not come back together.
//
// [Retry.Do] applies it to a function, [RetryTransport] to HTTP requests. The
// zero value of every limit but Budget is a default; the zero Retry sends every
// request once, since no budget pays for more. Safe for concurrent use if Random
// is.
type Retry struct {
	Budget *RetryBudget // pays for the retries; nil pays for none

	Tries int           // sends of one request, the first included; 0 = 3
	Base  time.Duration // longest random wait before the first retry; 0 = 100ms
	Cap   time.Duration // longest random wait, and longest Retry-After accepted, up to 24h; 0 = 30s

	// Random returns numbers from 0 up to, but not including, 1. nil means
	// rand.Float64 of math/rand/v2; see [Seeded] for one that can be repeated.
	Random func() float64
}

// Do calls send, and again after a wait as long as it returns an [*Overloaded]
// and r allows. It returns the error of the last call: nobody waits who would not
// be left with time for another try.
func (r Retry) Do(ctx context.Context, send func(context.Context) error) error {
	r.Budget.deposit()
	for try := 1; ; try++ {
		err := send(ctx)
		shed, ok := errors.AsType[*Overloaded](err)
		if !ok {
			return err
		}
		wait, again := r.next(ctx, try, shed.RetryAfter)
		if !again || !sleepUntil(ctx, time.Now().Add(wait)) {
			return err
		}
	}
}

// next decides what follows when a try, counted from 1, was turned away with a
// retryAfter: another one after a wait, or none. It takes the retry from the
// budget.
//
// A retryAfter above Cap is given up on: to come back sooner than asked would be
// no help, and whoever waits for so long needs a plan, not a retry.
func (r Retry) next(ctx context.Context, try int, retryAfter time.Duration) (wait time.Duration, again bool) {
	r = r.withDefaults()
	if try >= r.Tries || retryAfter > r.Cap || ctx.Err() != nil {
		return 0, false
	}
	wait = r.delay(try, retryAfter)
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return 0, false
	}
	return wait, r.Budget.withdraw()
}

// delay is how long to wait after a try that was turned away: above retryAfter,
// and above 0, by at most Cap. It wants its defaults set.
//
// The random part is the "full jitter" of Marc Brooker, "Exponential Backoff And
// Jitter" (AWS Architecture Blog, 2015): anything up to Base, doubled with every
// try. After a retryAfter it is anything up to as long again: many clients have
// got the same one in the same instant, and must be spread as widely.
func (r Retry) delay(try int, retryAfter time.Duration) time.Duration {
	longest := r.Cap
	if doublings := max(try-1, 0); r.Base <= r.Cap>>doublings { // or the shift below overflows
		longest = r.Base << doublings
	}
	longest = max(longest, min(retryAfter, r.Cap))
	random := time.Duration((1 - r.Random()) * float64(longest))
	return max(retryAfter, 0) + min(max(random, 1), longest)
}

func (r Retry) withDefaults() Retry {
	if r.Tries == 0 {
		r.Tries = 3
	}
	if r.Base <= 0 {
		r.Base = 100 * time.Millisecond
	}
	if r.Cap <= 0 {
		r.Cap = 30 * time.Second
	}
	r.Cap = min(r.Cap, maxRetryAfter)
	if r.Random == nil {
		r.Random = rand.Float64
	}
	return r
}

// Seeded returns a source of random numbers for [Retry] that are the same for the
// same seed and stream. It is safe for concurrent use, but its callers then share
// one stream in the order they come; give each its own to make it repeatable.
func Seeded(seed, stream uint64) func() float64 {
	var mu sync.Mutex
	source := rand.New(rand.NewPCG(seed, stream))
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return source.Float64()
	}
}
