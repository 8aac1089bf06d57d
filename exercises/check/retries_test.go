package check

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
)

// A retrier is a client of exercise 7 that is wrong if one of its fields is.
type retrier struct {
	mu    sync.Mutex
	spent int // tenths of a retry
	earn  int // the same, for a request
	full  int // the same, when the budget is full

	refusal  func(error) (*lab.Overloaded, bool)
	wait     func(retryAfter time.Duration) time.Duration
	inTime   func(ctx context.Context, retryAfter, wait time.Duration) bool
	sleep    func(ctx context.Context, wait time.Duration) bool
	payLate  bool
	exitWith map[string]error // instead of the refusal
}

func newRetrier() *retrier {
	return &retrier{
		earn:    1,
		full:    100,
		refusal: errors.AsType[*lab.Overloaded],
		wait:    func(d time.Duration) time.Duration { return d + rand.N(d) },
		inTime: func(ctx context.Context, _, wait time.Duration) bool {
			deadline, ok := ctx.Deadline()
			return !ok || time.Until(deadline) > wait
		},
		sleep: func(ctx context.Context, d time.Duration) bool { return lab.PretendWork(ctx, d) == nil },
	}
}

// pay changes what is spent, and reports false if that is more than there is.
func (r *retrier) pay(tenths int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spent+tenths > r.full {
		return false
	}
	r.spent = max(0, r.spent+tenths)
	return true
}

func (r *retrier) Do(ctx context.Context, send func(context.Context) error) error {
	exit := func(why string, err error) error {
		if other, ok := r.exitWith[why]; ok {
			return other
		}
		return err
	}
	r.pay(-r.earn)
	for try := 1; ; try++ {
		err := send(ctx)
		shed, ok := r.refusal(err)
		if !ok {
			return err
		}
		wait := r.wait(shed.RetryAfter)
		switch {
		case try == 3:
			return exit("tries", err)
		case !r.inTime(ctx, shed.RetryAfter, wait):
			return exit("deadline", err)
		case !r.payLate && !r.pay(10):
			return exit("budget", err)
		case !r.sleep(ctx, wait):
			return exit("leaves", err)
		case r.payLate && !r.pay(10):
			return exit("budget", err)
		}
	}
}

const (
	little    = "retries add little to an overload"
	notEarly  = "nobody comes back before Retry-After has passed"
	told      = "whoever is turned away for good is told so"
	paid      = "the budget pays for a tenth of the requests, and is asked before the wait"
	notAtOnce = "those who were turned away together do not come back together"
	toldEarly = "whoever has no time left for a retry is told at once"
	notKept   = "a user who leaves while the client waits is not kept"
	oneRetry  = "one refusal in a quiet hour is retried"
	noRetry   = "an error that is no refusal is not retried"
)

func TestRetries(t *testing.T) {
	wantKept(t, retries(func() Client { return newRetrier() }))
	for _, c := range []struct {
		name        string
		spoil       func(*retrier)
		rule, words string
	}{
		{"no budget", func(r *retrier) { r.earn = 10 }, little, "319 users made"},
		{"a budget of a half", func(r *retrier) { r.earn = 4 }, little, "319 users made 4"},
		{"at once", func(r *retrier) { r.wait = func(time.Duration) time.Duration { return 0 } }, notEarly,
			"told to come back in 2s came back after 0s"},
		{"pays after the wait", func(r *retrier) { r.payLate = true }, paid, "and was then told that there would be no other one"},
		{"the budget is never paid into", func(r *retrier) { r.earn = 0 }, paid, "were followed by 10 retries"},
		{"fifty from the beginning", func(r *retrier) { r.full = 500 }, paid, "were followed by 1"},
		{"nil from an empty budget", func(r *retrier) { r.exitWith = map[string]error{"budget": nil} }, told, "Do returned <nil>"},
		{"nil after the last try", func(r *retrier) { r.exitWith = map[string]error{"tries": nil} }, told, "after 3 attempts, of which all were turned away, Do returned <nil>"},
		{"no random part", func(r *retrier) { r.wait = func(d time.Duration) time.Duration { return d } }, notAtOnce, "came back between 1s and 1s"},
		{"a random part of 15 %", func(r *retrier) {
			r.wait = func(d time.Duration) time.Duration { return d + rand.N(d*15/100) }
		}, notAtOnce, "came back between 1"},
		{"far too late", func(r *retrier) {
			r.wait = func(d time.Duration) time.Duration { return d + rand.N(2*d) }
		}, notAtOnce, "came back between 1"},
		{"never", func(r *retrier) { r.inTime = func(context.Context, time.Duration, time.Duration) bool { return false } },
			paid, "were followed by 0 retries"},
		{"only with a deadline", func(r *retrier) {
			r.inTime = func(context.Context, time.Duration, time.Duration) bool { return true }
		}, toldEarly, "and returned overloaded: line_full after 1.5s"},
		{"the random part is not looked at", func(r *retrier) {
			inTime := r.inTime
			r.inTime = func(ctx context.Context, retryAfter, _ time.Duration) bool {
				return inTime(ctx, retryAfter, retryAfter)
			}
		}, toldEarly, "a Retry-After of 1s, Do made attempts after [0s], and returned overloaded: line_full after 1.5s"},
		{"another error for those who have no time", func(r *retrier) {
			r.exitWith = map[string]error{"deadline": context.DeadlineExceeded}
		}, toldEarly, "and returned context deadline exceeded after"},
		{"asleep", func(r *retrier) {
			r.sleep = func(_ context.Context, d time.Duration) bool { time.Sleep(d); return true }
		}, notKept, "the user left after 500ms"},
		{"one more for those who have left", func(r *retrier) {
			r.sleep = func(ctx context.Context, d time.Duration) bool { lab.PretendWork(ctx, d); return true }
		}, notKept, "after 500ms and 3 attempts"},
		{"nil for those who have left", func(r *retrier) { r.exitWith = map[string]error{"leaves": nil} }, notKept, "returned <nil> after 500ms"},
		{"a type assertion", func(r *retrier) {
			r.refusal = func(err error) (*lab.Overloaded, bool) { shed, ok := err.(*lab.Overloaded); return shed, ok }
		}, oneRetry, `turned away once, with "POST /work: overloaded: line_full"`},
		{"whatever the error", func(r *retrier) {
			r.refusal = func(err error) (*lab.Overloaded, bool) {
				if shed, ok := errors.AsType[*lab.Overloaded](err); ok || err == nil {
					return shed, ok
				}
				return &lab.Overloaded{RetryAfter: time.Second}, true
			}
		}, noRetry, "boom after 3 attempts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantBroken(t, retries(func() Client { r := newRetrier(); c.spoil(r); return r }), c.rule, c.words)
		})
	}
}
