package lab

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Real sockets, so nothing here depends on how fast the machine is.

func TestClosedLoop(t *testing.T) {
	t.Parallel()
	c, err := NewController(Limits{Slots: 2, MaxWaiting: NoLimit, MaxWait: NoLimit})
	require.NoError(t, err)
	var worked atomic.Int64
	server := httptest.NewServer(NewService(c, func(ctx context.Context) error {
		worked.Add(1)
		return PretendWork(ctx, 5*time.Millisecond)
	}))
	defer server.Close()

	load := ClosedLoop{URL: server.URL + "/work", Users: 8, Duration: 200 * time.Millisecond, Patience: 30 * time.Second}
	samples, err := load.Run(t.Context())
	require.NoError(t, err)
	assert.NotEmpty(t, samples)
	assert.EqualValues(t, worked.Load(), len(samples))
	for _, s := range samples {
		assert.Equal(t, OK, s.Outcome)
		assert.GreaterOrEqual(t, s.Latency, 5*time.Millisecond)
		assert.GreaterOrEqual(t, s.Due, time.Duration(0))
	}
	assert.LessOrEqual(t, c.Stats().PeakLine, 6, "no more in line than users without a slot")
}

func TestClosedLoopStatuses(t *testing.T) {
	t.Parallel()
	c, err := NewController(Limits{Slots: 1})
	require.NoError(t, err)
	require.NoError(t, c.Acquire(t.Context()))
	server := httptest.NewServer(NewService(c, nil))
	defer server.Close()

	for path, want := range map[string]Outcome{"/work": Shed, "/nothing": Failed, "/health": OK} {
		load := ClosedLoop{URL: server.URL + path, Users: 1, Duration: 300 * time.Millisecond, Patience: time.Minute}
		samples, err := load.Run(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, samples)
		assert.Equal(t, want, samples[0].Outcome, path)
	}
}

func TestClosedLoopNobodyListening(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	load := ClosedLoop{URL: server.URL, Users: 2, Duration: 300 * time.Millisecond, Patience: time.Second}
	samples, err := load.Run(t.Context())
	require.NoError(t, err)
	s := Summarize("nobody", OpenLoop{Duration: load.Duration, Patience: load.Patience}, 0, samples)
	assert.Positive(t, s.Failed)
	assert.Equal(t, s.Offered, s.Failed)
	assert.Equal(t, "-", s.P50.String())
}

func TestClosedLoopInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	var here atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if here.Add(1) == 4 {
			// By now all requests have been written, and hey is done with the
			// variables that it shares with its transport.
			time.AfterFunc(50*time.Millisecond, interrupt)
		}
		<-r.Context().Done() // the client hangs up
	}))
	defer server.Close()
	samples, err := ClosedLoop{URL: server.URL, Users: 4, Duration: time.Hour, Patience: time.Hour}.Run(ctx)
	require.NoError(t, err)
	assert.NotEmpty(t, samples)
}

func TestClosedLoopBadSettings(t *testing.T) {
	_, err := ClosedLoop{URL: "http://127.0.0.1/"}.Run(t.Context())
	assert.EqualError(t, err, "closed loop: 0 users, duration 0s, patience 0s, want all above 0 and at most 1000000 users")
	_, err = ClosedLoop{URL: ":", Users: 1, Duration: 1, Patience: 1}.Run(t.Context())
	assert.ErrorContains(t, err, "closed loop: parse")
}
