package lab_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

// The rules of the controller. The first eight are the ones to know by heart;
// number 5 makes sure that number 4 is worth something.
func TestBehaviours(t *testing.T) {
	behaviours := labtest.Behaviours()
	for i, b := range behaviours {
		t.Run(b.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if err := b.Check(newController); err != nil {
					t.Error(err)
				}
			})
		})
		if b.Number != 4 {
			continue
		}
		t.Run("5 the check before this one catches the leaky controller", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := behaviours[i].Check(broken.Leaky)
				assert.ErrorContains(t, err, "number 3 of 5") // its line has two places
				assert.ErrorContains(t, err, "line_full")
			})
		})
	}
}

func newController(l lab.Limits) (labtest.Controller, error) { return lab.NewController(l) }

// build returns a controller with limits that are known to be good.
func build(t testing.TB, l lab.Limits) *lab.Controller {
	c, err := lab.NewController(l)
	require.NoError(t, err)
	return c
}

func nothing() error { return nil }

// The cases C1, C2, C3, C4 and C6 are the behaviours 4 and 14, 10 and 12, 11, 2
// and 11, and 3 of the kit. C3 has its line in line_test.go too.

// Case C5: a slot is given back once. A second time panics while no slot is
// held, also if two goroutines try it at once.
func TestReleaseWithoutAcquire(t *testing.T) {
	const text = "lab: Controller.Release without a matching Acquire"
	c := build(t, lab.Limits{Slots: 1})
	assert.PanicsWithValue(t, text, c.Release, "before any Acquire")

	for range 1000 {
		require.NoError(t, c.Acquire(t.Context()))
		var panics atomic.Int32
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				defer func() {
					if recover() == text {
						panics.Add(1)
					}
				}()
				c.Release()
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, panics.Load(), "panics of two releases of one slot")
		require.Zero(t, c.Stats().Running)
	}
	require.NoError(t, c.Acquire(t.Context()))
	assert.Error(t, c.Acquire(t.Context()), "two at work in one slot")
}

// Case C7: those who wait do nothing but wait. In a bubble time goes on only
// when every goroutine sleeps, so one that keeps trying would show: ten of them
// wait for an hour, in no time.
func TestWaitingTakesNoProcessorTime(t *testing.T) {
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit})
		require.NoError(t, c.Acquire(t.Context()))
		for range 10 {
			go c.Do(t.Context(), nothing)
		}
		synctest.Wait()
		assert.Equal(t, 10, c.Stats().Waiting)
		time.Sleep(time.Hour)
		c.Release()
		synctest.Wait()
		assert.Equal(t, 11, c.Stats().Admitted)
	})
	assert.Less(t, time.Since(began), 5*time.Second)
}

// Case C8: through Protect and a real connection. Whatever the work does to its
// request, the next one is served.
func TestFailingHandlersOverHTTP(t *testing.T) {
	for _, tt := range []struct {
		name   string
		work   http.HandlerFunc
		answer string // "" means that the connection is cut
	}{
		{"panics with a value", func(http.ResponseWriter, *http.Request) { panic(errors.New("boom")) }, ""},
		{"aborts", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, ""},
		{"aborts after half an answer", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "10")
			w.Write([]byte("half "))
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, ""},
		{"ends its goroutine", func(http.ResponseWriter, *http.Request) { runtime.Goexit() }, ""},
		{"returns", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("done")) }, "done"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := build(t, lab.Limits{Slots: 1})
			var fails atomic.Bool
			fails.Store(true)
			server := httptest.NewUnstartedServer(lab.Protect(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if fails.Load() {
					tt.work(w, r)
				}
			})))
			server.Config.ErrorLog = quiet
			server.Start()
			defer server.Close()

			for range 3 {
				fails.Store(true)
				_, body, err := get(server)
				if tt.answer == "" {
					assert.Error(t, err)
				} else {
					assert.NoError(t, err)
					assert.Equal(t, tt.answer, body)
				}
				fails.Store(false)
				// The slot is free a moment after the client has its answer.
				assert.Eventually(t, func() bool { return c.Stats().Running == 0 }, 5*time.Second, time.Millisecond)
				status, _, err := get(server)
				assert.NoError(t, err)
				assert.Equal(t, http.StatusOK, status)
				assert.Eventually(t, func() bool { return c.Stats().Running == 0 }, 5*time.Second, time.Millisecond)
			}
		})
	}
}

// Case C9: work that asks its own controller for a second slot waits for itself.
func TestDoWithinDo(t *testing.T) {
	nested := func(c *lab.Controller, ctx context.Context) (inner error, took time.Duration) {
		outer := c.Do(ctx, func() error {
			began := time.Now()
			inner = c.Do(ctx, nothing)
			took = time.Since(began)
			return inner
		})
		if outer != inner {
			return errors.New("the outer request did not say what the inner one was told"), 0
		}
		return inner, took
	}

	t.Run("a wait limit ends it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := build(t, lab.Limits{Slots: 1, MaxWaiting: 5, MaxWait: 300 * time.Millisecond})
			err, took := nested(c, t.Context())
			assert.EqualError(t, err, "overloaded: waited_too_long")
			assert.Equal(t, 300*time.Millisecond, took)
			assert.NoError(t, c.Do(t.Context(), nothing), "the slot is free again")
		})
	})
	t.Run("without one only the context does", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := build(t, lab.Limits{Slots: 1, MaxWaiting: 5, MaxWait: lab.NoLimit})
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			err, took := nested(c, ctx)
			assert.Equal(t, context.DeadlineExceeded, err)
			assert.Equal(t, time.Hour, took)
			assert.NoError(t, c.Do(t.Context(), nothing), "the slot is free again")
		})
	})
}

// Case C10: a request that does not wait costs no memory and no goroutine.
func TestNoAllocationWithoutWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	long := lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: time.Minute}

	t.Run("admitted", func(t *testing.T) {
		c := build(t, long)
		goroutines := runtime.NumGoroutine()
		allocations := testing.AllocsPerRun(100_000, func() { c.Do(ctx, nothing) })
		assert.Zero(t, allocations)
		assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
		assert.Equal(t, 100_001, c.Stats().Admitted) // AllocsPerRun warms up once
	})
	t.Run("line_full", func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1, MaxWait: time.Minute})
		require.NoError(t, c.Acquire(ctx))
		assert.Zero(t, testing.AllocsPerRun(1000, func() { c.Do(ctx, nothing) }))
		assert.Equal(t, 1001, c.Stats().ShedLineFull)
	})
	t.Run("waited_too_long at once", func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1, MaxWaiting: 1})
		require.NoError(t, c.Acquire(ctx))
		assert.Zero(t, testing.AllocsPerRun(1000, func() { c.Do(ctx, nothing) }))
		assert.Equal(t, 1001, c.Stats().ShedWaitedTooLong)
	})
	t.Run("gone", func(t *testing.T) {
		c := build(t, long)
		dead, cancel := context.WithCancel(ctx)
		cancel()
		assert.Zero(t, testing.AllocsPerRun(1000, func() { c.Do(dead, nothing) }))
		assert.Equal(t, 1001, c.Stats().Gone)
	})
}

// A context may have a cause beside its error. The caller gets the error, and
// can ask the context for the cause.
func TestErrorOfTheContextIsUnchanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: lab.NoLimit})
		require.NoError(t, c.Acquire(t.Context()))
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("the user has other plans"))
		defer cancel()
		assert.Equal(t, context.DeadlineExceeded, c.Acquire(ctx), "in line")
		assert.Equal(t, context.DeadlineExceeded, c.Acquire(ctx), "on arrival")
		assert.Equal(t, lab.Stats{Running: 1, PeakLine: 1, Arrived: 3, Admitted: 1, Gone: 2}, c.Stats())
	})
}

func BenchmarkAdmit(b *testing.B) {
	c := build(b, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: time.Minute})
	b.ReportAllocs()
	for b.Loop() {
		c.Do(b.Context(), nothing)
	}
}

func BenchmarkAdmitParallel(b *testing.B) {
	c := build(b, lab.Limits{Slots: 1000, MaxWaiting: 1, MaxWait: time.Minute})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			c.Do(b.Context(), nothing)
		}
	})
}

func BenchmarkRefuse(b *testing.B) {
	c := build(b, lab.Limits{Slots: 1, MaxWait: time.Minute})
	require.NoError(b, c.Acquire(b.Context()))
	b.ReportAllocs()
	for b.Loop() {
		c.Do(b.Context(), nothing)
	}
}

// A request waits and gets the slot from another one: one hand-off.
func BenchmarkWait(b *testing.B) {
	c := build(b, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: time.Minute})
	require.NoError(b, c.Acquire(b.Context()))
	ask, got := make(chan struct{}), make(chan struct{})
	go func() {
		for range ask {
			c.Acquire(b.Context())
			got <- struct{}{}
		}
	}()
	b.ReportAllocs()
	for b.Loop() {
		ask <- struct{}{}
		for c.Stats().Waiting == 0 {
			runtime.Gosched()
		}
		c.Release()
		<-got
	}
	close(ask)
}

// A request that asks right after a slot was given back finds the place in line
// that the next in line has just left, even if that one has not noticed yet.
func TestReleaseMakesRoomAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: lab.NoLimit})
		require.NoError(t, c.Acquire(t.Context()))
		for range 1000 {
			waiter := make(chan error, 1)
			go func() { waiter <- c.Acquire(t.Context()) }()
			synctest.Wait()
			c.Release()
			next := make(chan error, 1)
			go func() { next <- c.Acquire(t.Context()) }()
			require.NoError(t, <-waiter)
			c.Release()
			require.NoError(t, <-next)
		}
		assert.Equal(t, 1, c.Stats().PeakLine)
		c.Release()
	})
}

// The peak counts those who wait, and not one who has been given a slot already.
func TestPeakLineIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1, MaxWaiting: 5, MaxWait: lab.NoLimit})
		require.NoError(t, c.Acquire(t.Context()))
		for range 1000 {
			waiter := make(chan error, 1)
			go func() { waiter <- c.Acquire(t.Context()) }()
			synctest.Wait()
			c.Release() // the slot goes to the waiter
			dead, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			assert.ErrorIs(t, c.Acquire(dead), context.DeadlineExceeded) // the one in line now
			cancel()
			require.NoError(t, <-waiter)
		}
		assert.Equal(t, 1, c.Stats().PeakLine)
		c.Release()
	})
}

// Whoever frees a slot and asks again, with nobody else there, gets it; and where
// nobody may wait, nobody is told that he waited too long.
func TestFreeSlotWinsAgainstARelease(t *testing.T) {
	for _, limits := range []lab.Limits{{Slots: 2}, {Slots: 2, MaxWaiting: 1}} {
		c := build(t, limits)
		var refused atomic.Int64
		var wg sync.WaitGroup
		for range 2 { // as many as slots: there is always a free one
			wg.Go(func() {
				for range 100_000 {
					if c.Do(t.Context(), nothing) != nil {
						refused.Add(1)
					}
				}
			})
		}
		wg.Wait()
		assert.Zero(t, refused.Load(), "%+v", limits)
	}
	c := build(t, lab.Limits{Slots: 1})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50_000 {
				c.Do(t.Context(), nothing)
			}
		})
	}
	wg.Wait()
	assert.Zero(t, c.Stats().ShedWaitedTooLong)
	assert.Equal(t, 8*50_000, c.Stats().Arrived)
}
