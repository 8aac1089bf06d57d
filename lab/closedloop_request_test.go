package lab

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClosedLoopRequest(t *testing.T) {
	var wrong, connections atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != "POST" || string(body) != "body" || r.Host != "other.example" || r.Header.Get("Color") != "red" {
			wrong.Add(1)
		}
		if !r.Close {
			connections.Add(1)
		}
		w.WriteHeader(http.StatusCreated)
	}))
	defer server.Close()
	load := ClosedLoop{
		URL: server.URL, Users: 2, Duration: 300 * time.Millisecond, Patience: time.Minute,
		Method: "POST", Body: []byte("body"), Header: http.Header{"Host": {"other.example"}, "Color": {"red"}},
		MaxRate: 100, DisableKeepAlives: true,
	}
	samples, err := load.Run(t.Context())
	require.NoError(t, err)
	assert.NotEmpty(t, samples)
	assert.LessOrEqual(t, len(samples), 40, "about 30 are allowed")
	for _, s := range samples {
		assert.Equal(t, OK, s.Outcome, "%v", s.Err)
	}
	assert.Zero(t, wrong.Load())
	assert.Zero(t, connections.Load(), "a connection for each")
}

// A redirect is an answer, and not a hint where to send more.
func TestClosedLoopRedirect(t *testing.T) {
	var followed atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/next" {
			followed.Add(1)
		}
		http.Redirect(w, r, "/next", http.StatusFound)
	}))
	defer server.Close()
	load := ClosedLoop{URL: server.URL, Users: 1, Duration: 50 * time.Millisecond, Patience: time.Minute, MaxRate: 100}
	samples, err := load.Run(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, samples)
	assert.Equal(t, &StatusError{Status: 302}, samples[0].Err)
	assert.Zero(t, followed.Load())
}

func TestFinishRate(t *testing.T) {
	at := func(due, latency time.Duration, o Outcome) Sample {
		return Sample{Due: due * ms, Latency: latency * ms, Outcome: o}
	}
	for _, tt := range []struct {
		name    string
		samples []Sample
		want    float64
	}{
		{"none", nil, 0},
		{"none answered", []Sample{at(0, 10, Failed), at(0, 20, Shed)}, 0},
		{"one", []Sample{at(0, 50, OK)}, 20},
		{"the last one is a straggler", []Sample{at(0, 50, OK), at(50, 50, OK), at(100, 901, OK)}, 20},
		{"in any order", []Sample{at(300, 200, OK), at(0, 100, OK), at(200, 100, Failed)}, 4},
		{"only stragglers", []Sample{at(0, 1001, OK)}, 0},
	} {
		assert.InDelta(t, tt.want, FinishRate(tt.samples, time.Second), 1e-9, tt.name)
	}
}
