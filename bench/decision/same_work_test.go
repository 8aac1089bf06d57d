package decision

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// The rows of a table are only worth comparing if everybody does in a scenario what
// the scenario is called. Virtual time makes "at once" and "after" exact.

func TestAdmit(t *testing.T) {
	eachInABubble(t, func(t *testing.T, k gatekeeper) {
		g := k.new(roomy)
		began := time.Now()
		for range 2 {
			for range roomy.Slots {
				require.NoError(t, g.Acquire(t.Context()))
			}
			assert.Zero(t, time.Since(began), "a free slot is given at once")
			for range roomy.Slots {
				g.Release()
			}
		}
		for range roomy.Slots {
			require.NoError(t, g.Acquire(t.Context()))
		}
		assert.Error(t, g.Acquire(t.Context()), "one more than slots")
	})
}

func TestRefuse(t *testing.T) {
	eachInABubble(t, func(t *testing.T, k gatekeeper) {
		g := full(t.Context(), k)
		began := time.Now()
		for range 3 {
			assert.Error(t, g.Acquire(t.Context()))
		}
		assert.Zero(t, time.Since(began), "a refusal comes at once")
		g.Release()
		assert.NoError(t, g.Acquire(t.Context()), "the refused have taken nothing")
	})
}

func TestWait(t *testing.T) {
	eachInABubble(t, func(t *testing.T, k gatekeeper) {
		if k.cannotWait {
			return
		}
		g := k.new(line)
		require.NoError(t, g.Acquire(t.Context()))
		began := time.Now()
		time.AfterFunc(time.Second, g.Release)
		require.NoError(t, g.Acquire(t.Context()))
		assert.Equal(t, time.Second, time.Since(began), "a slot is given when it is free")
		assert.Error(t, g.Acquire(t.Context()), "it is held by the one who waited")
		assert.Equal(t, time.Second+line.MaxWait, time.Since(began))
	})
}

func TestTimeOut(t *testing.T) {
	eachInABubble(t, func(t *testing.T, k gatekeeper) {
		if k.cannotWait {
			return
		}
		g := k.new(brief)
		require.NoError(t, g.Acquire(t.Context()))
		began := time.Now()
		for range 10 {
			go func() {
				assert.Error(t, g.Acquire(t.Context()))
				assert.Equal(t, brief.MaxWait, time.Since(began))
			}()
		}
		synctest.Wait()
		time.Sleep(brief.MaxWait)
		synctest.Wait()
		g.Release()
		assert.NoError(t, g.Acquire(t.Context()), "those who gave up have taken nothing")
	})
}

func TestHandlers(t *testing.T) {
	for _, m := range middlewares {
		t.Run(m.name, func(t *testing.T) {
			h := m.new(roomy, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }))
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, request(t.Context()))
			assert.Equal(t, http.StatusTeapot, answer.Code, "let in")

			answer = httptest.NewRecorder()
			fullHouse(t, m).ServeHTTP(answer, request(t.Context()))
			assert.Equal(t, http.StatusServiceUnavailable, answer.Code, "refused")
			assert.Equal(t, []string{"1"}, answer.Header().Values("Retry-After"))
			assert.NotEmpty(t, answer.Body.String())
		})
	}
}

func TestDoIsAcquireAndRelease(t *testing.T) {
	c := must(lab.NewController(roomy))
	require.NoError(t, c.Do(t.Context(), nothing))
	assert.Equal(t, lab.Stats{Arrived: 1, Admitted: 1}, c.Stats())
}

func eachInABubble(t *testing.T, test func(*testing.T, gatekeeper)) {
	for _, k := range gatekeepers {
		t.Run(k.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, k) })
		})
	}
}
