package lab_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// With its limit held an Adaptive is a Controller: between two bounds that leave it no
// choice, and with slots to spare that it never comes to use.
func TestAdaptiveKeepsTheRules(t *testing.T) {
	for _, spare := range []int{0, 3} {
		labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) {
			return lab.NewAdaptive(l, lab.Adaptation{
				Min: max(l.Slots, 1), Max: max(l.Slots, 1) + spare, Tolerance: 1.25, Round: 1e9, Probe: time.Hour,
			})
		})
	}
}

// Case F3 is behaviours 55 and 58 to 60.
func TestAdaptiveBehaviours(t *testing.T) {
	labtest.RunAdaptive(t, func(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
		return lab.NewAdaptive(l, how)
	})
}

// Only work is a sample: no health check, no reading of the counters, and no refusal.
func TestAdaptiveLearnsFromWorkAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, err := lab.NewAdaptive(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: 10 * time.Millisecond},
			lab.Adaptation{Min: 1, Max: 8, Tolerance: 1.25, Round: 4, Probe: time.Hour})
		require.NoError(t, err)
		service := lab.NewService(a, func(ctx context.Context) error { return lab.PretendWork(ctx, time.Second) })
		get := func(path string) *httptest.ResponseRecorder {
			answer := httptest.NewRecorder()
			service.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
			return answer
		}
		for range 7 {
			assert.Equal(t, 200, get("/work").Code)
		}
		go get("/work")
		synctest.Wait()
		for range 50 { // the eighth would measure the time alone
			assert.Equal(t, 200, get("/health").Code)
			assert.Equal(t, 200, get("/stats").Code)
			assert.Equal(t, 503, get("/work").Code)
		}
		assert.Equal(t, lab.AdaptiveStats{Limit: 1, Probing: true}, a.AdaptiveStats())
		assert.Equal(t, lab.Stats{Running: 1, PeakLine: 1, Arrived: 58, Admitted: 8, ShedWaitedTooLong: 50}, a.Stats())

		time.Sleep(time.Second)
		synctest.Wait()
		var stats map[string]any
		require.NoError(t, json.Unmarshal(get("/stats").Body.Bytes(), &stats))
		assert.Equal(t, false, stats["probing"])
		assert.Equal(t, 1000.0, stats["alone_ms"])
		assert.Equal(t, 1.0, stats["limit"])
	})
}

// A panic is a failure, and leaves nothing behind.
func TestAdaptivePanic(t *testing.T) {
	a, err := lab.NewAdaptive(lab.Limits{Slots: 1}, lab.Adaptation{Min: 1, Max: 8, Tolerance: 1.25, Round: 4, Probe: time.Hour})
	require.NoError(t, err)
	for range 20 {
		assert.PanicsWithValue(t, "boom", func() { a.Do(t.Context(), func() error { panic("boom") }) })
	}
	assert.Equal(t, lab.Stats{Arrived: 20, Admitted: 20}, a.Stats())
	assert.Equal(t, lab.AdaptiveStats{Limit: 1, Probing: true}, a.AdaptiveStats(), "no success, so nothing is known")
}

func TestAdaptiveDoesNotAllocate(t *testing.T) {
	a, err := lab.NewAdaptive(lab.Limits{Slots: 2}, lab.Adaptation{Min: 1, Max: 8, Tolerance: 1.25, Round: 4, Probe: time.Hour})
	require.NoError(t, err)
	ctx := t.Context()
	assert.Zero(t, testing.AllocsPerRun(1000, func() { a.Do(ctx, func() error { return nil }) }))
}
