package lab

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newTarget is a target behind which handler answers, until the test ends.
func newTarget(t *testing.T, handler http.HandlerFunc) *Target {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &Target{URL: server.URL, Client: server.Client()}
}

func TestTargetStatuses(t *testing.T) {
	const full = `{"error":"overloaded","reason":"line_full"}`
	long := strings.Repeat("a", maxBody)
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   string // the error
		shed   bool
	}{
		{"ok", 200, "done", "", false},
		{"created", 201, "", "", false},
		{"no content", 204, "", "", false},
		{"ok, and more than is read", 200, long + "and more", "", false},
		{"503 with a reason", 503, full, "overloaded: line_full", true},
		{"429 with a reason", 429, `{"reason":"quota"}`, "overloaded: quota", true},
		{"503 without a body", 503, "", "overloaded: ", true},
		{"503 that is no JSON", 503, "Service Unavailable", "overloaded: ", true},
		{"503 whose reason is no word", 503, `{"reason":7}`, "overloaded: ", true},
		{"503 with more than is read", 503, `{"reason":"line_full","a":"` + long + `"}`, "overloaded: ", true},
		{"not found", 404, full, "unexpected status 404 Not Found", false},
		{"server error", 500, full, "unexpected status 500 Internal Server Error", false},
		{"another redirect than a client follows", 304, "", "unexpected status 304 Not Modified", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target := newTarget(t, func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, http.MethodGet, r.Method)
				w.Header().Set("Content-Type", "text/plain")
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			err := target.Send(t.Context())
			if tt.want == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, tt.want)
			}
			if !tt.shed {
				assert.Nil(t, target.FirstRefusal())
				return
			}
			refused, ok := errors.AsType[*Overloaded](err)
			require.True(t, ok, "%T", err)
			assert.Equal(t, 7*time.Second, refused.RetryAfter)
			want := &Refusal{tt.status, "7", "text/plain", tt.body[:min(len(tt.body), maxBody)]}
			assert.Equal(t, want, target.FirstRefusal())
		})
	}
}

// No answer, or half of one, is no refusal.
func TestTargetWithoutAnAnswer(t *testing.T) {
	half := newTarget(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "10")
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, "half ")
	})
	assert.ErrorIs(t, half.Send(t.Context()), io.ErrUnexpectedEOF)
	assert.Nil(t, half.FirstRefusal())

	left, leave := context.WithCancel(t.Context())
	leave()
	assert.ErrorIs(t, half.Send(left), context.Canceled)
	assert.Error(t, (&Target{URL: ":", Client: http.DefaultClient}).Send(t.Context()))
}

// The first refusal is kept, also if many come at once.
func TestFirstRefusal(t *testing.T) {
	var n atomic.Int32
	target := newTarget(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) > 1 {
			w.Header().Set("Retry-After", "2")
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	require.Error(t, target.Send(t.Context()))
	first := target.FirstRefusal()
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { assert.Error(t, target.Send(t.Context())) })
	}
	wg.Wait()
	assert.Same(t, first, target.FirstRefusal())
	assert.Equal(t, &Refusal{Status: 503}, first)
	assert.EqualValues(t, 51, n.Load())
}

// Case G5: no answer at all is told apart from refusals.
func TestNobodyListeningIsNotShed(t *testing.T) {
	shedding := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer shedding.Close()
	nobody := httptest.NewServer(http.NotFoundHandler())
	nobody.Close()
	load := OpenLoop{Rate: 1000, Duration: 20 * time.Millisecond, Patience: time.Minute}
	for _, tt := range []struct {
		url          string
		shed, failed int
	}{{shedding.URL, 20, 0}, {nobody.URL, 0, 20}} {
		target := &Target{URL: tt.url, Client: shedding.Client()}
		samples, err := load.Run(t.Context(), target.Send)
		require.NoError(t, err)
		s := Summarize("", load, 0, samples)
		assert.Equal(t, []int{tt.shed, tt.failed, 0, 0}, []int{s.Shed, s.Failed, s.OK, s.Timeout})
		assert.Equal(t, "-", s.P50.String())
		assert.Equal(t, tt.shed > 0, target.FirstRefusal() != nil)
	}
}
