package check

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

// wantBroken fails t unless the first of the rules that is not kept is the one with
// this name, and its failure has these words.
func wantBroken(t *testing.T, rules []rule, name, words string) {
	t.Helper()
	for _, r := range rules {
		if err := r.inBubble(t); err != nil {
			assert.Equal(t, name, r.name, "%v", err)
			assert.Contains(t, strings.Join(strings.Fields(err.Error()), " "), words)
			return
		}
	}
	assert.Fail(t, "every rule is kept", "want a failure of %q", name)
}

// A gate is a gate of exercise 3 that is wrong if one of its fields is.
type gate struct {
	inside, slots chan struct{}

	whenFull   func() error // called by a request that finds no place
	keepsPlace bool         // of a request that has been served
	keepsSlot  bool         // of work that failed
}

func (g *gate) Do(_ context.Context, work func() error) error {
	select {
	case g.inside <- struct{}{}:
	default:
		return g.whenFull()
	}
	g.slots <- struct{}{}
	err := work()
	if err == nil || !g.keepsSlot {
		<-g.slots
	}
	if !g.keepsPlace {
		<-g.inside
	}
	return err
}

func TestCollapse(t *testing.T) {
	const (
		inVain = "at twice the capacity nobody waits in vain"
		atOnce = "whoever finds the line full is told at once"
		busy   = "the slots are kept busy"
		never  = "never more than slots at work and places waiting"
		ifIdle = "a gate that is idle serves everybody"
	)
	full := func() error { return &lab.Overloaded{Reason: lab.LineFull} }
	for _, c := range []struct {
		name        string
		spoil       func(g *gate, slots, places int)
		rule, words string
	}{
		{"no bound", func(g *gate, _, _ int) { g.inside = make(chan struct{}, 1000) }, inVain, "647 of 799 clients"},
		{"a slow refusal", func(g *gate, _, _ int) {
			g.whenFull = func() error { time.Sleep(100 * time.Millisecond); return full() }
		}, atOnce, "the slow refusals took 100 ms"},
		{"another error", func(g *gate, _, _ int) {
			g.whenFull = func() error { return io.ErrShortBuffer }
		}, atOnce, "another error than line_full: short buffer"},
		{"one slot less", func(g *gate, slots, _ int) { g.slots = make(chan struct{}, max(1, slots-1)) }, busy, "is 60.0/s"},
		{"a place that is kept", func(g *gate, _, _ int) { g.keepsPlace = true }, busy, "is 0.0/s"},
		{"one place more", func(g *gate, slots, places int) { g.inside = make(chan struct{}, slots+places+1) }, never,
			"with 1 slots, 0 places and 50 requests at once, 1 were at work and 1 waited; 2 were served"},
		{"one place less", func(g *gate, slots, places int) { g.inside = make(chan struct{}, max(slots, slots+places-1)) }, never,
			"with 1 slots, 1 places and 50 requests at once, 1 were at work and 0 waited; 1 were served"},
		{"a slot that failed work keeps", func(g *gate, _, _ int) { g.keepsSlot = true }, ifIdle, "some calls never return: deadlock"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantBroken(t, collapse(func(slots, places int) lab.Admitter {
				g := &gate{inside: make(chan struct{}, slots+places), slots: make(chan struct{}, slots), whenFull: full}
				c.spoil(g, slots, places)
				return g
			}), c.rule, c.words)
		})
	}
}

// The kit has tests of its own; here it is enough that it is asked.
func TestControllers(t *testing.T) {
	noRoom := func(lab.Limits) (labtest.Controller, error) { return nil, errors.New("no room") }
	slotMissing := func(l lab.Limits) (labtest.Controller, error) {
		l.Slots = max(1, l.Slots-1)
		return lab.NewController(l)
	}
	const one, inVain, busy, leak = "a line of one has no room for two", "on a slow day nobody waits in vain",
		"on a slow day the slots are kept busy", "4 timeouts give back their place"
	wantBroken(t, boundedLine(noRoom), one, `New returned the error "no room"`)
	wantBroken(t, boundedLine(broken.CheckThenAdd), one, "in 10000 of 10000 rounds")
	wantBroken(t, boundedLine(broken.Leaky), leak, "number 3 of 5")
	wantBroken(t, slowdown(noRoom), inVain, `New returned the error "no room"`)
	wantBroken(t, slowdown(broken.NoWaitLimit), inVain, "116 of 511 clients")
	wantBroken(t, slowdown(slotMissing), busy, "in the last four seconds goodput is 15.0/s")
}

func TestHTTP(t *testing.T) {
	const refusal, gone, other, left, health = "a refusal is a 503 that says why and when to come back",
		"nothing is written for a client that has gone", "any other error is not a refusal",
		"the answer of the work is left as it is", "the health check is answered by a service that turns everybody away"
	refuse := func(w http.ResponseWriter, after string) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", after)
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, `{"reason":"line_full"}`)
	}
	for _, c := range []struct {
		name        string
		path        string // of what is behind the gate
		answer      func(http.ResponseWriter, error)
		rule, words string
	}{
		{"always the same second", "/work", func(w http.ResponseWriter, err error) {
			if err != nil {
				refuse(w, "1")
			}
		}, refusal, `RetryAfter of 3s`},
		{"a word to the gone", "/work", func(w http.ResponseWriter, err error) {
			if errors.Is(err, context.Canceled) {
				http.Error(w, "gone", 499)
				return
			}
			right(w, err)
		}, gone, "status 499"},
		{"503 for everybody", "/work", func(w http.ResponseWriter, err error) {
			if _, ok := errors.AsType[*lab.Overloaded](err); err != nil && !ok && !errors.Is(err, context.Canceled) {
				err = &lab.Overloaded{Reason: lab.LineFull}
			}
			right(w, err)
		}, other, "status 503"},
		{"silence", "/work", func(w http.ResponseWriter, err error) {
			if _, ok := errors.AsType[*lab.Overloaded](err); ok {
				right(w, err)
			}
		}, other, "nothing is written"},
		{"more than the work said", "/work", func(w http.ResponseWriter, err error) {
			if right(w, err); err == nil {
				io.WriteString(w, "!")
			}
		}, left, `body "tea!"`},
		{"all behind the gate", "/", right, health, "status 503"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantBroken(t, overHTTP(func(a lab.Admitter, work http.Handler) http.Handler {
				mux := http.NewServeMux()
				mux.HandleFunc("GET "+c.path, func(w http.ResponseWriter, r *http.Request) {
					c.answer(w, a.Do(r.Context(), func() error { work.ServeHTTP(w, r); return nil }))
				})
				if c.path == "/work" {
					mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
				}
				return mux
			}), c.rule, c.words)
		})
	}
}

// right is the answer that passes: the one of package lab.
func right(w http.ResponseWriter, err error) {
	r, _ := http.NewRequest("GET", "/work", nil)
	lab.Protect(says{err}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
}

// A retrier is a client of exercise 7 that retries as long as wait says so, and as
// there are retries left.
type retrier struct {
	retries int64
	wait    func(ctx context.Context, after time.Duration) bool
	errors  bool // it retries errors as well

	made atomic.Int64
}

func (r *retrier) Do(ctx context.Context, send func(context.Context) error) error {
	for {
		err := send(ctx)
		shed, ok := errors.AsType[*lab.Overloaded](err)
		if err == nil || !ok && !r.errors || r.made.Add(1) > r.retries {
			return err
		}
		after := time.Second
		if ok {
			after = shed.RetryAfter
		}
		if !r.wait(ctx, after) {
			return err
		}
	}
}

func TestRetries(t *testing.T) {
	sleep := func(_ context.Context, d time.Duration) bool { time.Sleep(d); return true }
	jittered := func(after time.Duration) time.Duration { return after + rand.N(after) }
	heeds := func(ctx context.Context, d time.Duration) bool { return lab.PretendWork(ctx, d) == nil }
	inTime := func(ctx context.Context, d time.Duration) bool {
		deadline, ok := ctx.Deadline()
		return !ok || time.Until(deadline) > d
	}
	for _, c := range []struct {
		name        string
		client      *retrier
		rule, words string
	}{
		{"no budget", &retrier{retries: 1e6, wait: func(ctx context.Context, after time.Duration) bool { return heeds(ctx, jittered(after)) }},
			"retries add little to an overload", "319 users made"},
		{"at once", &retrier{retries: 10, wait: func(context.Context, time.Duration) bool { return true }},
			"nobody comes back before Retry-After has passed", "told to come back in 2s came back after 0s"},
		{"no random part", &retrier{retries: 10, wait: func(ctx context.Context, after time.Duration) bool { return heeds(ctx, after) }},
			"those who were turned away together do not come back together", "came back within 0s of each other"},
		{"never", &retrier{}, "those who were turned away together do not come back together", "0 tried again"},
		{"to the end of the patience", &retrier{retries: 10, wait: func(ctx context.Context, after time.Duration) bool { return heeds(ctx, jittered(after)) }},
			"whoever has no time left for a retry is told at once", "after 1.5s and 1 attempts"},
		{"asleep", &retrier{retries: 10, wait: func(ctx context.Context, after time.Duration) bool {
			d := jittered(after)
			return inTime(ctx, d) && sleep(ctx, d)
		}}, "a user who leaves while the client waits is not kept", "the user left after 500ms"},
		{"far too late", &retrier{retries: 10, wait: func(ctx context.Context, after time.Duration) bool {
			d := 2*after + rand.N(after)
			return inTime(ctx, d) && heeds(ctx, d)
		}}, "one refusal in a quiet hour is retried", "and 2 attempts"},
		{"whatever the error", &retrier{retries: 10, errors: true, wait: func(ctx context.Context, after time.Duration) bool {
			d := jittered(after)
			return inTime(ctx, d) && heeds(ctx, d)
		}}, "an error that is no refusal is not retried", "boom after 11 attempts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantBroken(t, retries(func() Client {
				return &retrier{retries: c.client.retries, wait: c.client.wait, errors: c.client.errors}
			}), c.rule, c.words)
		})
	}
}

func TestSweep(t *testing.T) {
	const when, below, short = "the collapse comes when it is predicted", "at the capacity, and below, there is none",
		"a test that is too short shows nothing"
	after := func(patience, serviceTime time.Duration, multiple float64) (time.Duration, bool) {
		return lab.Seconds((patience - serviceTime).Seconds() / (multiple - 1)), multiple > 1
	}
	for _, c := range []struct {
		name        string
		after       CollapsesAfter
		unseen      Unseen
		rule, words string
	}{
		{"never", func(time.Duration, time.Duration, float64) (time.Duration, bool) { return 0, false }, nil, when, "predicted never"},
		{"without the work", func(patience, _ time.Duration, multiple float64) (time.Duration, bool) {
			return after(patience, 0, multiple)
		}, nil,
			when, "a patience of 1s"},
		{"at any load", func(patience, serviceTime time.Duration, multiple float64) (time.Duration, bool) {
			due, _ := after(patience, serviceTime, multiple)
			return due, true
		}, nil, below, "at 0.5x a collapse is predicted: true"},
		{"none is missed", after, func(_, _, _ time.Duration) float64 { return 1 }, short, "misses loads of up to 1x"},
		{"too few", after, func(patience, serviceTime, test time.Duration) float64 {
			return 1 + 0.9*(patience-serviceTime).Seconds()/test.Seconds()
		}, short, "false"},
		{"too many", after, func(patience, serviceTime, test time.Duration) float64 {
			return 1 + 1.1*(patience-serviceTime).Seconds()/test.Seconds()
		}, short, "true"},
	} {
		t.Run(c.name, func(t *testing.T) { wantBroken(t, sweep(c.after, c.unseen), c.rule, c.words) })
	}
}

// Calls that never return do not end the test program.
func TestDeadlock(t *testing.T) {
	r := rule{"it ends", func() error { <-make(chan int); return nil }}
	wantBroken(t, []rule{r}, r.name, "deadlock: ")
}
