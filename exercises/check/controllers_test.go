package check

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

// A controller is one of exercises 4, 5 and 8 that is wrong if one of its fields is.
type controller struct {
	limits lab.Limits
	places int64
	slots  chan struct{}
	length atomic.Int64
	join   func(c *controller) bool
	wait   func(ctx context.Context, c *controller) error

	peak, admitted, lineFull, waitedTooLong, gone atomic.Int64
}

// spoiled makes controllers that are right but for what spoil does to them.
func spoiled(spoil func(*controller)) labtest.Constructor {
	return func(l lab.Limits) (labtest.Controller, error) {
		if _, err := lab.NewController(l); err != nil {
			return nil, err
		}
		c := &controller{limits: l, slots: make(chan struct{}, l.Slots), places: int64(l.MaxWaiting), join: joinRight, wait: waitRight}
		if l.MaxWaiting == lab.NoLimit {
			c.places = math.MaxInt64
		}
		spoil(c)
		return c, nil
	}
}

func (c *controller) Do(ctx context.Context, work func() error) error {
	err := c.acquire(ctx)
	shed, isShed := errors.AsType[*lab.Overloaded](err)
	switch {
	case err == nil:
		c.admitted.Add(1)
	case isShed && shed.Reason == lab.LineFull:
		c.lineFull.Add(1)
	case isShed:
		c.waitedTooLong.Add(1)
	default:
		c.gone.Add(1)
	}
	if err != nil {
		return err
	}
	defer func() { <-c.slots }()
	return work()
}

func (c *controller) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	default:
	}
	if !c.join(c) {
		return c.shed(lab.LineFull)
	}
	defer c.length.Add(-1)
	return c.wait(ctx, c)
}

func (c *controller) shed(why lab.Reason) error {
	return &lab.Overloaded{Reason: why, RetryAfter: c.limits.RetryAfter}
}

func (c *controller) Stats() lab.Stats {
	s := lab.Stats{
		Running: len(c.slots), Waiting: int(c.length.Load()), PeakLine: int(c.peak.Load()),
		Admitted: int(c.admitted.Load()), ShedLineFull: int(c.lineFull.Load()),
		ShedWaitedTooLong: int(c.waitedTooLong.Load()), Gone: int(c.gone.Load()),
	}
	s.Arrived = s.Waiting + s.Admitted + s.ShedLineFull + s.ShedWaitedTooLong + s.Gone
	return s
}

func (c *controller) raisePeak(n int64) {
	for peak := c.peak.Load(); n > peak && !c.peak.CompareAndSwap(peak, n); peak = c.peak.Load() {
	}
}

func joinRight(c *controller) bool {
	for n := c.length.Load(); n < c.places; n = c.length.Load() {
		if c.length.CompareAndSwap(n, n+1) {
			c.raisePeak(n + 1)
			return true
		}
	}
	return false
}

// lookThenAdd has two steps. That both are atomic does not make them one.
func lookThenAdd(c *controller) bool {
	if c.length.Load() >= c.places {
		return false
	}
	c.raisePeak(c.length.Add(1))
	return true
}

func stepBack(c *controller) bool {
	if n := c.length.Add(1); n <= c.places {
		c.raisePeak(n)
		return true
	}
	c.length.Add(-1)
	return false
}

func TestBoundedLine(t *testing.T) {
	const (
		many = "the line has as many places as its limit says"
		one  = "a line of one has no room for two"
		leak = "4 timeouts give back their place"
	)
	wantKept(t, boundedLine(spoiled(func(*controller) {})))
	for _, c := range []struct {
		name          string
		newController labtest.Constructor
		rule, words   string
	}{
		{"none", noRoom, many, `New returned the error "no room"`},
		{"a fifth more", spoiled(func(c *controller) { c.places += c.places / 5 }), many, "with MaxWaiting 40, 48 wait"},
		{"a hundred at most", spoiled(func(c *controller) { c.places = min(c.places, 100) }), many, "with MaxWaiting 1000, 100 wait"},
		{"one more", spoiled(func(c *controller) { c.places++ }), many, "with MaxWaiting 0, 1 wait"},
		{"look and add, with time between them", broken.CheckThenAdd, many, "with MaxWaiting 1, 11 wait"},
		{"look and add, without", spoiled(func(c *controller) { c.join = lookThenAdd }), one, "of 2 that asked at the same time, 2 were in line"},
		{"add and step back", spoiled(func(c *controller) { c.join = stepBack }), one, "2 were in line, if only for an instant"},
		{"a leak", broken.Leaky, leak, "number 3 of 5"},
	} {
		t.Run(c.name, func(t *testing.T) { wantBroken(t, boundedLine(c.newController), c.rule, c.words) })
	}
}

func noRoom(lab.Limits) (labtest.Controller, error) { return nil, errors.New("no room") }

// ready can always be received from.
var ready = func() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}()

// waiting makes a wait whose limit is another one than it should be, in a first select
// and in a second one.
func waiting(limit func(lab.Limits) time.Duration, second func(ctx context.Context, c *controller, limit <-chan time.Time) error) func(*controller) {
	return func(c *controller) {
		c.wait = func(ctx context.Context, c *controller) error {
			var passed <-chan time.Time
			switch d := limit(c.limits); d {
			case lab.NoLimit:
			case 0:
				// A timer that has expired would do, but for the race detector of Go 1.26:
				// it crashes when many goroutines of a bubble look at theirs at once.
				passed = ready
			default:
				timer := time.NewTimer(d)
				defer timer.Stop()
				passed = timer.C
			}
			select {
			case c.slots <- struct{}{}:
				return second(ctx, c, passed)
			case <-passed:
				return c.shed(lab.WaitedTooLong)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

func maxWait(l lab.Limits) time.Duration { return l.MaxWait }

// handBack is the second select.
func handBack(ctx context.Context, c *controller, limit <-chan time.Time) error {
	select {
	case <-limit:
		<-c.slots
		return c.shed(lab.WaitedTooLong)
	case <-ctx.Done():
		<-c.slots
		return ctx.Err()
	default:
		return nil
	}
}

func waitRight(ctx context.Context, c *controller) error {
	var right controller
	waiting(maxWait, handBack)(&right)
	return right.wait(ctx, c)
}

// times is waiting for f times as long.
func times(f float64) func(*controller) {
	return waiting(func(l lab.Limits) time.Duration {
		if l.MaxWait == lab.NoLimit {
			return lab.NoLimit
		}
		return time.Duration(f * float64(l.MaxWait))
	}, handBack)
}

func TestSlowdown(t *testing.T) {
	const (
		inVain = "on a slow day nobody waits in vain"
		busy   = "on a slow day the slots are kept busy"
		dot    = "whoever has waited for MaxWait is told so, not before and not later"
		month  = "without a limit one waits for as long as it takes"
		meets  = "a slot that comes when the wait ends is not lost"
	)
	wantKept(t, slowdown(spoiled(func(*controller) {})))
	for _, c := range []struct {
		name          string
		newController labtest.Constructor
		rule, words   string
	}{
		{"none", noRoom, inVain, `New returned the error "no room"`},
		{"no limit", broken.NoWaitLimit, inVain, "116 of 511 clients"},
		{"a slot is missing", spoiled(func(c *controller) { c.slots = make(chan struct{}, max(1, c.limits.Slots-1)) }),
			busy, "in the last four seconds goodput is 15.0/s"},
		{"twice as long", spoiled(times(2)), dot, "after 2ms"},
		{"a tenth longer", spoiled(times(1.1)), dot, "after 1.1ms"},
		{"a tenth shorter", spoiled(times(0.9)), dot, "after 900µs"},
		{"300 ms more", spoiled(waiting(func(l lab.Limits) time.Duration {
			if l.MaxWait == lab.NoLimit {
				return lab.NoLimit
			}
			return l.MaxWait + 300*time.Millisecond
		}, handBack)), dot, "after 301ms"},
		{"two seconds at most", spoiled(waiting(func(l lab.Limits) time.Duration { return min(l.MaxWait, 2*time.Second) }, handBack)),
			dot, "with a MaxWait of 5s the only one in line was told overloaded: waited_too_long after 2s"},
		{"no limit is a limit of 0", spoiled(waiting(func(l lab.Limits) time.Duration { return max(0, l.MaxWait) }, handBack)),
			month, "1000 of 1000 were not served; the first was told overloaded: waited_too_long after 0s"},
		{"no limit is an hour", spoiled(waiting(func(l lab.Limits) time.Duration {
			if l.MaxWait == lab.NoLimit {
				return time.Hour
			}
			return l.MaxWait
		}, handBack)), month, "waited_too_long after 1h0m0s"},
		{"a slot that a late one keeps", spoiled(waiting(maxWait, func(ctx context.Context, c *controller, limit <-chan time.Time) error {
			select {
			case <-limit:
				return c.shed(lab.WaitedTooLong)
			case <-ctx.Done():
				<-c.slots
				return ctx.Err()
			default:
				return nil
			}
		})), meets, "in the instant in which the wait limit passed: worked on is false, its error is overloaded: waited_too_long; in the end running is 1"},
		{"a slot that one who has left keeps", spoiled(waiting(maxWait, func(ctx context.Context, c *controller, limit <-chan time.Time) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return handBack(ctx, c, limit)
		})), meets, "when its client had left: worked on is false, its error is context canceled; in the end running is 1"},
		{"no second look", spoiled(waiting(maxWait, func(context.Context, *controller, <-chan time.Time) error { return nil })),
			meets, "when its client had left: worked on is true"},
	} {
		t.Run(c.name, func(t *testing.T) { wantBroken(t, slowdown(c.newController), c.rule, c.words) })
	}
}

// A limit can also be a context of its own.
func TestSlowdownWithTimeout(t *testing.T) {
	wantKept(t, slowdown(spoiled(func(c *controller) {
		c.wait = func(ctx context.Context, c *controller) error {
			if c.limits.MaxWait == lab.NoLimit {
				return waitRight(ctx, c)
			}
			limited, cancel := context.WithTimeout(ctx, c.limits.MaxWait)
			defer cancel()
			told := func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				return c.shed(lab.WaitedTooLong)
			}
			select {
			case c.slots <- struct{}{}:
			case <-limited.Done():
				return told()
			}
			if limited.Err() != nil {
				<-c.slots
				return told()
			}
			return nil
		}
	})))
}

func TestWaits(t *testing.T) {
	const month = "without a limit one waits for as long as it takes"
	wantKept(t, waits(func(l lab.Limits) (labtest.Controller, error) { return lab.NewController(l) }))
	wantBroken(t, waits(noRoom), "whoever has waited for MaxWait is told so, not before and not later", `New returned the error "no room"`)
	wantBroken(t, waits(spoiled(func(c *controller) { c.places = int64(c.limits.MaxWaiting) })), month,
		"1000 of 1000 were not served; the first was told overloaded: line_full after 0s")
}
