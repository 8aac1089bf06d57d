package main

import (
	"bytes"
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// What the server makes of two requests whose clients hang up: one is in the only
// slot, with a second of work, and one is in line and leaves a little earlier.
func TestHangUps(t *testing.T) {
	for hangUp, want := range map[string]lab.ServiceStats{
		"ignore": {WorkDone: 2, Stats: lab.Stats{PeakLine: 1, Arrived: 2, Admitted: 2}},
		"leave":  {WorkDone: 1, Stats: lab.Stats{PeakLine: 1, Arrived: 2, Admitted: 1, Gone: 1}},
		"stop":   {WorkDone: 0, Stats: lab.Stats{PeakLine: 1, Arrived: 2, Admitted: 1, Gone: 1}},
	} {
		t.Run(hangUp, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := launchInMemory(t.Context(), []string{"-slots=1", "-max-waiting=none", "-max-wait=none", "-service-time=1s", "-hang-up=" + hangUp})
				require.NoError(t, err)
				defer s.stop()
				for _, patience := range []time.Duration{500 * time.Millisecond, 400 * time.Millisecond} {
					go func() {
						ctx, cancel := context.WithTimeout(t.Context(), patience)
						defer cancel()
						work := lab.Target{URL: s.url + "/work", Client: s.client}
						assert.ErrorIs(t, work.Send(ctx), context.DeadlineExceeded)
					}()
					synctest.Wait()
				}
				time.Sleep(3 * time.Second)
				stats, err := getStats(t.Context(), s)
				require.NoError(t, err)
				assert.Equal(t, want, stats)
			})
		})
	}
}

// What each guard tells those whom it does not serve, with one slot and no line.
func TestGuards(t *testing.T) {
	full := lab.Refusal{Status: 503, RetryAfter: "1", ContentType: "application/json", Body: `{"error":"overloaded","reason":"line_full"}` + "\n"}
	for _, tt := range []struct {
		guard   string
		health  time.Duration // how long /health takes
		refusal *lab.Refusal
	}{
		{"controller", 0, &full},
		{"timeout-handler", 0, &full}, // it has a controller inside
		{"limit-listener", time.Second, nil},
	} {
		t.Run(tt.guard, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := launchInMemory(t.Context(), []string{"-slots=1", "-max-waiting=0", "-service-time=1s", "-timeout=5s", "-guard=" + tt.guard})
				require.NoError(t, err)
				defer s.stop()
				work := &lab.Target{URL: s.url + "/work", Client: s.client}
				go work.Send(t.Context())
				synctest.Wait()
				began := time.Now()
				health := lab.Target{URL: s.url + "/health", Client: s.client}
				assert.NoError(t, health.Send(t.Context()))
				assert.Equal(t, tt.health, time.Since(began), "/health, with the slot taken")
				if tt.refusal != nil {
					assert.EqualError(t, work.Send(t.Context()), "overloaded: line_full")
				}
				assert.Equal(t, tt.refusal, work.FirstRefusal())
				time.Sleep(2 * time.Second)
			})
		})
	}
}

func TestServeUsage(t *testing.T) {
	for _, tt := range []struct{ arg, want string }{
		{"-guard=dog", `invalid value "dog" for flag -guard: want one of controller, limit-listener, timeout-handler; -h lists the flags`},
		{"-hang-up=", `invalid value "" for flag -hang-up: want one of leave, stop, ignore; -h lists the flags`},
		{"-timeout=0", `invalid value "0" for flag -timeout: want a duration above 0s, up to 24h, such as 50ms, 1.5s or a number of seconds; -h lists the flags`},
		{"-slots=0", `invalid value "0" for flag -slots: want a whole number from 1 to 100000; -h lists the flags`},
	} {
		var stdout, stderr bytes.Buffer
		err := run(t.Context(), []string{"serve", tt.arg}, &stdout, &stderr)
		assert.EqualError(t, err, tt.want)
		status, _ := lab.ExitStatus(err)
		assert.Equal(t, 2, status)
		assert.Empty(t, stdout.String()+stderr.String(), "nothing is served")
	}
}

// What a shed flood writes to the log of the server is a line, not a flood.
func TestServerLogsItsRefusals(t *testing.T) {
	var log bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		_, handler, _, err := newServer([]string{"-slots=1", "-max-waiting=0", "-service-time=1s"}, io.Discard, &log)
		require.NoError(t, err)
		for range 100 {
			go handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/work", nil))
		}
		time.Sleep(2 * time.Second)
	})
	assert.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	assert.Contains(t, log.String(), `level=WARN msg="requests shed" count=1 reason=line_full`)
}

// Ctrl-C while the servers start is an interrupt, not a fault of theirs.
func TestInterruptedWhileStarting(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	ctx, interrupt := context.WithCancel(t.Context())
	launch := func(ctx context.Context, args []string) (site, error) {
		interrupt()
		return site{}, ctx.Err()
	}
	var stdout, stderr bytes.Buffer
	err := compare(ctx, []string{"-capacity=80"}, &stdout, &stderr, launch)
	assert.ErrorIs(t, err, lab.ErrInterrupted)
	assert.Contains(t, stdout.String(), "the run was cut short")
	assert.Empty(t, stderr.String())
}

func TestServerThatDoesNotStart(t *testing.T) {
	launch := func(context.Context, []string) (site, error) { return site{}, io.ErrUnexpectedEOF }
	err := compare(t.Context(), []string{"-capacity=80"}, io.Discard, io.Discard, launch)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	status, said := lab.ExitStatus(err)
	assert.Equal(t, 1, status)
	assert.False(t, said, "main says why")
}
