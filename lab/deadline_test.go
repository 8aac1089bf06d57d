package lab_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

func TestDeadlineGateKeepsTheRules(t *testing.T) {
	newGate := func(l lab.Limits) (labtest.Controller, error) {
		c, err := lab.NewController(l)
		return &lab.DeadlineGate{Gate: c}, err
	}
	labtest.Run(t, newGate)
	labtest.RunDeadlines(t, newGate)
}

// newDeadlineGate returns a gate that has found out that work takes 100 ms, and whose
// random numbers are all the same.
func newDeadlineGate(t *testing.T, l lab.Limits, random float64) *lab.DeadlineGate {
	t.Helper()
	g := &lab.DeadlineGate{Gate: build(t, l), Random: func() float64 { return random }}
	for range 50 {
		require.NoError(t, g.Do(t.Context(), func() error { time.Sleep(100 * time.Millisecond); return nil }))
	}
	return g
}

// within asks for a slot with a deadline after d, for work that takes no time.
func within(t *testing.T, g *lab.DeadlineGate, d time.Duration) error {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	return g.Do(ctx, func() error { return nil })
}

// hold has n requests without a deadline, whose work goes on until the test is over,
// one for each slot and the others in line.
func hold(t *testing.T, g *lab.DeadlineGate, n int) {
	for range n {
		go g.Do(t.Context(), func() error { <-t.Context().Done(); return nil })
	}
	synctest.Wait()
}

// The time that is left has to cover the wait of 8 ÷ (4 slots ÷ 0.1 s), and the work.
func TestDeadlineGateBoundary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newDeadlineGate(t, lab.Limits{Slots: 4, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit}, 0)
		hold(t, g, 4+8)
		const need = 200*time.Millisecond + 110*time.Millisecond // the work and a tenth
		start := time.Now()
		shed, ok := errors.AsType[*lab.Overloaded](within(t, g, need-time.Microsecond))
		require.True(t, ok)
		assert.Equal(t, lab.WouldBeLate, shed.Reason)
		assert.Zero(t, time.Since(start), "at once")

		shed, ok = errors.AsType[*lab.Overloaded](within(t, g, need+time.Microsecond))
		require.True(t, ok)
		assert.Equal(t, lab.WouldBeLate, shed.Reason)
		assert.InDelta(t, 200, time.Since(start).Milliseconds(), 1, "when the line had not moved for as long as expected")
		assert.Equal(t, lab.DeadlineStats{WouldBeLate: 2}, g.DeadlineStats())
	})
}

// Retry-After is the time of the line, and up to as long again: at least that of the
// limits, and at most half a minute of its own.
func TestComputedRetryAfter(t *testing.T) {
	for _, c := range []struct {
		line   int
		random float64
		least  time.Duration // Limits.RetryAfter
		want   time.Duration
		full   time.Duration // when the line is full
	}{
		{line: 0, random: 0.5, want: 0, full: 0},
		{line: 20, random: 0, want: 2 * time.Second, full: 2 * time.Second},
		{line: 20, random: 0.5, want: 3 * time.Second, full: 3 * time.Second},
		{line: 20, random: 0, least: 5 * time.Second, want: 2 * time.Second, full: 5 * time.Second},
		{line: 200, random: 0.25, want: 25 * time.Second, full: 25 * time.Second},
		{line: 200, random: 0.75, want: 30 * time.Second, full: 30 * time.Second},
		{line: 200, random: 0.75, least: time.Minute, want: 30 * time.Second, full: time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newDeadlineGate(t, lab.Limits{Slots: 1, MaxWaiting: c.line, MaxWait: lab.NoLimit, RetryAfter: c.least}, c.random)
			hold(t, g, 1+c.line)
			late, ok := errors.AsType[*lab.Overloaded](within(t, g, time.Millisecond))
			require.True(t, ok)
			assert.Equal(t, lab.WouldBeLate, late.Reason)
			assert.InDelta(t, c.want, late.RetryAfter, float64(time.Millisecond), "%+v", c)

			full, ok := errors.AsType[*lab.Overloaded](g.Do(t.Context(), func() error { return nil }))
			require.True(t, ok)
			assert.Equal(t, lab.LineFull, full.Reason)
			assert.InDelta(t, c.full, full.RetryAfter, float64(time.Millisecond), "%+v", c)
		})
	}
}

// What the work itself returns is passed on as it is, also if it looks like a refusal
// or the end of a context.
func TestDeadlineGatePassesOnTheErrorOfTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newDeadlineGate(t, lab.Limits{Slots: 1}, 0)
		for _, want := range []error{
			&lab.Overloaded{Reason: lab.LineFull, RetryAfter: time.Second},
			fmt.Errorf("database: %w", context.DeadlineExceeded),
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			assert.Equal(t, want, g.Do(ctx, func() error { return want }))
			cancel()
		}
		assert.Equal(t, 52, g.Stats().Admitted)
		assert.Zero(t, g.DeadlineStats())
	})
}

// What was turned away at its slot is no success of the gate inside: one that learns
// from the work it lets in must not take it for quick work.
func TestDeadlineGateRefusalIsNoWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inside := &lastError{Gatekeeper: build(t, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: lab.NoLimit})}
		g := &lab.DeadlineGate{Gate: inside}
		work := func(d time.Duration) func() error { return func() error { time.Sleep(d); return nil } }
		for range 20 {
			require.NoError(t, g.Do(t.Context(), work(100*time.Millisecond)))
		}
		slow := make(chan error, 1)
		go func() { slow <- g.Do(t.Context(), work(800*time.Millisecond)) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 1100*time.Millisecond)
		defer cancel()
		err := g.Do(ctx, work(0))
		require.NoError(t, <-slow)
		shed, ok := errors.AsType[*lab.Overloaded](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, lab.WouldBeLate, shed.Reason)
		assert.Equal(t, 21, g.Stats().Admitted)
		assert.Error(t, inside.err)
	})
}

// lastError remembers how the last work ended.
type lastError struct {
	lab.Gatekeeper
	err error
}

func (l *lastError) Do(ctx context.Context, work func() error) error {
	return l.Gatekeeper.Do(ctx, func() error {
		l.err = work()
		return l.err
	})
}

// After a quiet time one request is let in to find out how long the work takes, and not
// all that come in the same instant: the second would begin too late.
func TestDeadlineGateFindsOutOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := &slowStats{Gatekeeper: build(t, lab.Limits{Slots: 1, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit})}
		g := &lab.DeadlineGate{Gate: gate}
		work := func() error { time.Sleep(time.Second); return nil }
		for range 20 {
			require.NoError(t, g.Do(t.Context(), work))
		}
		time.Sleep(2 * time.Second)
		gate.takes = time.Nanosecond // time enough for all to look before one has a slot
		ctx, cancel := context.WithTimeout(t.Context(), 1900*time.Millisecond)
		defer cancel()
		var served atomic.Int64
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if g.Do(ctx, work) == nil {
					served.Add(1)
				}
			})
		}
		wg.Wait()
		assert.EqualValues(t, 1, served.Load())
		assert.Equal(t, 21, g.Stats().Admitted)
		assert.Equal(t, 4, g.DeadlineStats().WouldBeLate)
	})
}

// slowStats takes its time for Stats.
type slowStats struct {
	lab.Gatekeeper
	takes time.Duration
}

func (s *slowStats) Stats() lab.Stats {
	stats := s.Gatekeeper.Stats()
	time.Sleep(s.takes)
	return stats
}

// A thousand requests with deadlines of all kinds: no more at work than there are
// slots, whoever is not served is told so, and the sums add up.
func TestDeadlineGateUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newDeadlineGate(t, lab.Limits{Slots: 3, MaxWaiting: 20, MaxWait: 2 * time.Second}, 0.5)
		before := g.Stats()
		random := lab.Seeded(4, 0)
		var running, served, late, full, gone atomic.Int64
		var wg sync.WaitGroup
		for range 1000 {
			time.Sleep(time.Duration(random() * float64(25*time.Millisecond)))
			patience := time.Duration(random() * float64(1500*time.Millisecond))
			work := time.Duration(random() * float64(200*time.Millisecond))
			leaves := random() < 0.1
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				if leaves {
					time.AfterFunc(patience/10, cancel)
				}
				err := g.Do(ctx, func() error {
					assert.LessOrEqual(t, running.Add(1), int64(3))
					time.Sleep(work)
					running.Add(-1)
					return nil
				})
				shed, isShed := errors.AsType[*lab.Overloaded](err)
				switch {
				case err == nil:
					served.Add(1)
				case isShed && shed.Reason == lab.WouldBeLate:
					late.Add(1)
				case isShed && shed.Reason == lab.LineFull:
					full.Add(1)
				case errors.Is(err, context.Canceled):
					gone.Add(1)
				default:
					t.Errorf("unexpected: %v", err)
				}
			})
		}
		wg.Wait()
		s := g.Stats()
		assert.Positive(t, late.Load())
		assert.Positive(t, gone.Load())
		assert.EqualValues(t, served.Load(), s.Admitted-before.Admitted)
		assert.EqualValues(t, late.Load(), g.DeadlineStats().WouldBeLate)
		assert.EqualValues(t, full.Load(), s.ShedLineFull)
		assert.EqualValues(t, gone.Load(), s.Gone)
		assert.Zero(t, s.Running+s.Waiting+s.ShedWaitedTooLong)
		assert.Equal(t, 1000, s.Arrived-before.Arrived)
		assert.EqualValues(t, 1000, served.Load()+late.Load()+full.Load()+gone.Load())
	})
}

// Over HTTP the gateway says how long a request has waited, and the answer says why it
// was turned away.
func TestDeadlinesOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newDeadlineGate(t, lab.Limits{Slots: 1, MaxWaiting: 9, MaxWait: lab.NoLimit}, 0.5)
		believe := lab.ReadDeadline(lab.DeadlineSource{TimeoutHeader: timeout, RequestStart: true})
		protected := lab.Protect(g, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			deadline, _ := r.Context().Deadline()
			io.WriteString(w, time.Until(deadline).String())
		}), believe)
		ask := func(waited, patience time.Duration) (status int, retryAfter, answer string) {
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
			r.Header.Set("X-Request-Start", fmt.Sprintf("t=%d", time.Now().Add(-waited).UnixMicro()))
			r.Header.Set(timeout, fmt.Sprint(patience.Milliseconds()))
			w := httptest.NewRecorder()
			protected.ServeHTTP(w, r)
			if w.Code == http.StatusOK {
				return w.Code, "", w.Body.String()
			}
			var body struct{ Reason string }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
			return w.Code, w.Header().Get("Retry-After"), body.Reason
		}
		want := func(status int, retryAfter, answer string, waited, patience time.Duration) {
			t.Helper()
			gotStatus, gotRetryAfter, gotAnswer := ask(waited, patience)
			assert.Equal(t, []any{status, retryAfter, answer}, []any{gotStatus, gotRetryAfter, gotAnswer})
		}
		want(200, "", "700ms", 300*time.Millisecond, time.Second) // the handler can hand the deadline on
		want(503, "1", "deadline_passed", 2*time.Second, time.Second)
		want(503, "1", "would_be_late", 950*time.Millisecond, time.Second)
		hold(t, g, 1+9)
		want(503, "2", "would_be_late", 300*time.Millisecond, time.Second)
		want(503, "2", "line_full", 0, 10*time.Second)
		assert.Equal(t, lab.DeadlineStats{WouldBeLate: 2, DeadlinePassed: 1}, g.DeadlineStats())
	})
}

// The counters of the gate are in /stats, and everybody else's /stats has no such keys.
func TestDeadlineStatsOverHTTP(t *testing.T) {
	c := build(t, lab.Limits{Slots: 1})
	expired, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	g := &lab.DeadlineGate{Gate: c}
	assert.ErrorIs(t, g.Do(expired, func() error { return nil }), context.DeadlineExceeded)
	stats := readStats(t, lab.NewService(g, noWork))
	assert.Equal(t, 1, stats["gone_deadline_passed"])
	assert.Equal(t, 1, stats["gone"])
	assert.Contains(t, stats, "shed_would_be_late")
	assert.NotContains(t, readStats(t, lab.NewService(c, noWork)), "shed_would_be_late")
}
