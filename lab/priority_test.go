package lab_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
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
	"example.com/sheddinglab/lab/labtest"
)

// With the whole line for every class a controller with classes is one without: it
// keeps all of its rules, whatever class the requests are of.
func TestPriorityControllerBehaviours(t *testing.T) {
	labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) {
		p, err := lab.NewPriorityController(l, wholeLine(l))
		return &mixedClasses{PriorityController: p}, err
	})
}

func wholeLine(l lab.Limits) (s lab.Shares) {
	for c := range s {
		s[c] = l.MaxWaiting
	}
	return s
}

// mixedClasses gives every request another class than the one before.
type mixedClasses struct {
	*lab.PriorityController
	n atomic.Uint32
}

func (m *mixedClasses) Do(ctx context.Context, work func() error) error {
	class := lab.Criticality(m.n.Add(1) % 4)
	return m.PriorityController.Do(lab.WithCriticality(ctx, class), work)
}

func TestPriorityBehaviours(t *testing.T) {
	labtest.RunPriority(t, func(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
		return lab.NewPriorityController(l, s)
	})
}

func TestBadShares(t *testing.T) {
	four := func(plus, critical, sheddablePlus, sheddable int) lab.Shares {
		return lab.Shares{lab.CriticalPlus: plus, lab.Critical: critical, lab.SheddablePlus: sheddablePlus, lab.Sheddable: sheddable}
	}
	for _, tt := range []struct {
		maxWaiting int
		shares     lab.Shares
		want       string // of the error; "" for none
	}{
		{4, four(4, 3, 2, 1), ""},
		{4, four(4, 0, 0, 0), ""},
		{0, four(0, 0, 0, 0), ""},
		{lab.NoLimit, four(lab.NoLimit, lab.NoLimit, 5, 0), ""},
		{4, four(3, 3, 2, 1), "shares: that of critical_plus is 3, want MaxWaiting, which is 4"},
		{4, lab.Shares{}, "shares: that of critical_plus is 0, want MaxWaiting, which is 4"},
		{lab.NoLimit, four(4, 3, 2, 1), "shares: that of critical_plus is 4, want MaxWaiting, which is -1"},
		{4, four(4, 5, 2, 1), "shares: that of critical is 5, want 0 to that of critical_plus, which is 4"},
		{4, four(4, 1, 1, 2), "shares: that of sheddable is 2, want 0 to that of sheddable_plus, which is 1"},
		{4, four(4, 3, 2, lab.NoLimit), "shares: that of sheddable is -1, want 0 to that of sheddable_plus, which is 2"},
		{4, four(4, 3, 2, -5), "shares: that of sheddable is -5, want 0 to that of sheddable_plus, which is 2"},
		{lab.NoLimit, four(lab.NoLimit, -5, 2, 1), "shares: that of sheddable_plus is 2, want 0 to that of critical, which is -5"},
	} {
		p, err := lab.NewPriorityController(lab.Limits{Slots: 1, MaxWaiting: tt.maxWaiting, MaxWait: time.Second}, tt.shares)
		if tt.want == "" {
			assert.NoError(t, err, "%+v", tt)
			assert.NotNil(t, p)
			continue
		}
		assert.EqualError(t, err, tt.want)
		assert.Nil(t, p)
	}
	_, err := lab.NewPriorityController(lab.Limits{}, lab.Shares{})
	assert.EqualError(t, err, "limits: Slots is 0, want at least 1")
}

// The whole line full, over HTTP: who is turned away, and what /stats and the log
// say of it. The options decide about the class.
func TestClassesOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := lab.NewPriorityController(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: time.Minute},
			lab.Shares{lab.CriticalPlus: 2, lab.Critical: 2, lab.SheddablePlus: 1})
		require.NoError(t, err)
		work := func(ctx context.Context) error { return lab.PretendWork(ctx, 500*time.Millisecond) }
		service := lab.NewService(lab.LogRefusals(p, slog.New(slog.DiscardHandler)), work, lab.TrustCriticalityHeader)
		var wg sync.WaitGroup
		defer wg.Wait()
		answers := map[string]*httptest.ResponseRecorder{}
		for _, class := range []string{"sheddable", "sheddable_plus", "sheddable_plus", "critical", "critical_plus", "sheddable"} {
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/work", nil)
			r.Header.Set("Criticality", class)
			w := httptest.NewRecorder()
			answers[class] = w // the last of its class
			wg.Go(func() { service.ServeHTTP(w, r) })
			synctest.Wait()
		}
		stats := func() (s lab.ServiceStats) {
			w := ask(service, "/stats")
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &s))
			return s
		}
		classes := map[lab.Criticality]lab.ClassStats{
			lab.CriticalPlus:  {ShedLineFull: 1},
			lab.Critical:      {}, // it waits
			lab.SheddablePlus: {ShedLineFull: 1},
			lab.Sheddable:     {Admitted: 1, ShedLineFull: 1},
		}
		assert.Equal(t, lab.ServiceStats{
			Stats:   lab.Stats{Running: 1, Waiting: 2, PeakLine: 2, Arrived: 6, Admitted: 1, ShedLineFull: 3},
			Classes: classes,
		}, stats())
		assert.Equal(t, http.StatusOK, ask(service, "/health").Code, "health never enters")

		wg.Wait()
		for class, want := range map[string]int{"sheddable": 503, "sheddable_plus": 503, "critical": 200, "critical_plus": 503} {
			assert.Equal(t, want, answers[class].Code, class)
		}
		assert.Contains(t, answers["sheddable"].Body.String(), `"reason":"line_full"`)
		classes[lab.Critical] = lab.ClassStats{Admitted: 1}
		classes[lab.SheddablePlus] = lab.ClassStats{Admitted: 1, ShedLineFull: 1}
		assert.Equal(t, classes, stats().Classes)
	})
}

// A gatekeeper without classes has none in its /stats.
func TestNoClasses(t *testing.T) {
	service := lab.NewService(build(t, lab.Limits{Slots: 1}), noWork)
	assert.NotContains(t, ask(service, "/stats").Body.String(), "classes")
	assert.Nil(t, service.Stats().Classes)
}

// Case F4: critical alone above the capacity, with sheddable traffic beside it. The
// critical keep the plateau, and the sheddable get nothing as long as that lasts.
func TestCriticalAloneAboveCapacity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := lab.NewPriorityController(lab.Limits{Slots: 1, MaxWaiting: 10, MaxWait: time.Minute},
			lab.Shares{lab.CriticalPlus: 10, lab.Critical: 10, lab.SheddablePlus: 2, lab.Sheddable: 2})
		require.NoError(t, err)
		work := func() error { time.Sleep(10*time.Millisecond + 1); return nil } // 100 per second
		var wg sync.WaitGroup
		defer wg.Wait()
		every := func(pause, first time.Duration, class lab.Criticality) {
			wg.Go(func() {
				ctx := lab.WithCriticality(t.Context(), class)
				time.Sleep(first)
				for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(pause) {
					wg.Go(func() { p.Do(ctx, work) })
				}
			})
		}
		every(6667*time.Microsecond, 0, lab.Critical) // 150 per second
		every(9*time.Millisecond, time.Millisecond/3, lab.Sheddable)
		time.Sleep(time.Second + time.Millisecond/7)
		before := p.Classes()
		time.Sleep(8 * time.Second)
		after := p.Classes()
		assert.InDelta(t, 800, after[lab.Critical].Admitted-before[lab.Critical].Admitted, 2)
		assert.Equal(t, before[lab.Sheddable].Admitted, after[lab.Sheddable].Admitted)
		assert.Greater(t, after[lab.Sheddable].ShedLineFull-before[lab.Sheddable].ShedLineFull, 800)
	})
}

// A full house of all classes at once, for the race detector: no reading of the
// counters is beyond the limits, and in the end they add up.
func TestStatsOfClassesAddUp(t *testing.T) {
	const slots, places, clients, each = 4, 3, 50, 200
	p, err := lab.NewPriorityController(lab.Limits{Slots: slots, MaxWaiting: places, MaxWait: time.Millisecond},
		lab.Shares{lab.CriticalPlus: places, lab.Critical: 2, lab.SheddablePlus: 1})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range clients {
		ctx := lab.WithCriticality(t.Context(), lab.Criticality(i%4))
		wg.Go(func() {
			for range each {
				p.Do(ctx, func() error { runtime.Gosched(); return nil })
				s := p.Stats()
				assert.LessOrEqual(t, s.Running, slots)
				assert.LessOrEqual(t, s.Waiting, places)
				assert.LessOrEqual(t, s.PeakLine, places)
			}
		})
	}
	wg.Wait()
	s := p.Stats()
	assert.Equal(t, clients*each, s.Arrived)
	assert.Zero(t, s.Running+s.Waiting, "at rest")
	assert.Equal(t, s.Arrived, s.Admitted+s.ShedLineFull+s.ShedWaitedTooLong+s.Gone)
	for class, c := range p.Classes() {
		share := clients / 4 * each
		assert.InDelta(t, share, c.Admitted+c.ShedLineFull+c.ShedWaitedTooLong+c.Gone, each, fmt.Sprint(class))
	}
}

// Cost: the class is looked up, and nothing is allocated.
func TestPriorityControllerAllocations(t *testing.T) {
	p, err := lab.NewPriorityController(lab.Limits{Slots: 1}, lab.Shares{})
	require.NoError(t, err)
	ctx := lab.WithCriticality(t.Context(), lab.Sheddable)
	assert.Zero(t, testing.AllocsPerRun(1000, func() { p.Do(ctx, nothing) }), "to let one in")
	full := make(chan struct{})
	go p.Do(ctx, func() error { full <- struct{}{}; <-full; return nil })
	<-full
	assert.Zero(t, testing.AllocsPerRun(1000, func() { p.Do(ctx, nothing) }), "to refuse one")
	close(full)
}
