package lab_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// ask calls the handler, without a network.
func ask(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w
}

// readStats asks the service for /stats, whose keys are a contract.
func readStats(t *testing.T, h http.Handler) map[string]int {
	t.Helper()
	w := ask(h, "/stats")
	require.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "application/json", w.Header().Get("Content-Type"))
	var stats map[string]int // so nothing in it is NaN, null or a fraction
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &stats), w.Body.String())
	return stats
}

func noWork(context.Context) error { return nil }

// Case M5: an overloaded service is alive and says so, at once.
func TestHealthDuringOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: lab.NoLimit})
		require.NoError(t, c.Acquire(t.Context()))
		s := serveInMemory(t, lab.NewService(c, noWork), false)
		go s.get(t, "/work", time.Hour)
		synctest.Wait()
		full := lab.Stats{Running: 1, Waiting: 1, PeakLine: 1, Arrived: 2, Admitted: 1}
		require.Equal(t, full, c.Stats())

		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				status, body, err := s.get(t, "/health", 100*time.Millisecond)
				assert.NoError(t, err)
				assert.Equal(t, http.StatusOK, status)
				assert.Equal(t, "ok\n", body)
			})
		}
		wg.Wait()
		status, body, err := s.get(t, "/stats", 100*time.Millisecond)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, status)
		var stats lab.ServiceStats
		require.NoError(t, json.Unmarshal([]byte(body), &stats))
		assert.Equal(t, lab.ServiceStats{Stats: full}, stats, "neither /health nor /stats counts")
	})
}

// Case M6: the counters from the first second on, and with every slot held.
func TestStatsOfAService(t *testing.T) {
	c := build(t, lab.Limits{Slots: 2})
	service := lab.NewService(c, noWork)
	want := map[string]int{"work_done": 0, "running": 0, "waiting": 0, "peak_line": 0, "arrived": 0,
		"admitted": 0, "shed_line_full": 0, "shed_waited_too_long": 0, "gone": 0}
	assert.Equal(t, want, readStats(t, service), "before any request")

	require.NoError(t, c.Acquire(t.Context()))
	require.NoError(t, c.Acquire(t.Context()))
	for range 100 {
		require.Equal(t, http.StatusServiceUnavailable, ask(service, "/work").Code)
	}
	want["running"], want["admitted"], want["arrived"], want["shed_line_full"] = 2, 2, 102, 100
	assert.Equal(t, want, readStats(t, service), "every slot held, 100 refused")

	c.Release()
	w := ask(service, "/work")
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, `{"result":"done"}`+"\n", w.Body.String())
	want["running"], want["admitted"], want["arrived"], want["work_done"] = 1, 3, 103, 1
	assert.Equal(t, want, readStats(t, service), "one served")
}

// Case M6: no reading is ever beyond the limits, whatever goes on meanwhile.
func TestStatsKeepTheLimitsUnderLoad(t *testing.T) {
	const slots, places, clients, each = 4, 3, 50, 200
	c := build(t, lab.Limits{Slots: slots, MaxWaiting: places, MaxWait: time.Millisecond})
	service := lab.NewService(c, func(context.Context) error { runtime.Gosched(); return nil })
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range each {
				ask(service, "/work")
			}
		})
	}
	over := make(chan struct{})
	go func() { wg.Wait(); close(over) }()
	for reading := true; reading; {
		select {
		case <-over:
			reading = false
		default:
		}
		s := readStats(t, service)
		require.LessOrEqual(t, s["running"], slots)
		require.LessOrEqual(t, s["waiting"], places)
		require.LessOrEqual(t, s["peak_line"], places)
	}
	s := readStats(t, service)
	assert.Equal(t, clients*each, s["arrived"])
	assert.Equal(t, s["arrived"], s["admitted"]+s["shed_line_full"]+s["shed_waited_too_long"]+s["gone"])
	assert.Equal(t, s["admitted"], s["work_done"])
	assert.Zero(t, s["running"]+s["waiting"], "at rest")
}

// Work that was not finished is not counted as done, and nothing is written for it.
func TestUnfinishedWork(t *testing.T) {
	c := build(t, lab.Limits{Slots: 1})
	service := lab.NewService(c, func(context.Context) error { return context.Canceled })
	assert.Empty(t, ask(service, "/work").Body.String())
	assert.Zero(t, service.Stats().WorkDone)
	assert.Equal(t, 1, service.Stats().Admitted)
}
