package lab_test

import (
	"context"
	"errors"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

var quiet = log.New(io.Discard, "", 0)

// get asks the server once and returns the status and the body.
func get(server *httptest.Server) (status int, body string, err error) {
	res, err := server.Client().Get(server.URL)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, string(b), err
}

// Case M3, over a real connection: net/http treats HEAD in its own way.
func TestRefusalOverHTTP(t *testing.T) {
	full := lab.Limits{Slots: 1, MaxWait: time.Minute}
	tooLong := lab.Limits{Slots: 1, MaxWaiting: 1}
	const bodyFull = `{"error":"overloaded","reason":"line_full"}` + "\n"
	const bodyTooLong = `{"error":"overloaded","reason":"waited_too_long"}` + "\n"
	for _, tt := range []struct {
		name       string
		limits     lab.Limits
		retryAfter time.Duration
		wantHeader string
		wantBody   string
	}{
		{"no RetryAfter", full, 0, "1", bodyFull},
		{"300ms", full, 300 * time.Millisecond, "1", bodyFull},
		{"1s", full, time.Second, "1", bodyFull},
		{"1s and a bit", full, time.Second + 1, "2", bodyFull},
		{"1.5s", full, 1500 * time.Millisecond, "2", bodyFull},
		{"a day", full, 24 * time.Hour, "86400", bodyFull},
		{"waited too long", tooLong, 2 * time.Second, "2", bodyTooLong},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.limits.RetryAfter = tt.retryAfter
			c := build(t, tt.limits)
			require.NoError(t, c.Acquire(t.Context()))
			server := httptest.NewServer(lab.Protect(c, http.NotFoundHandler()))
			defer server.Close()

			for _, method := range []string{"GET", "HEAD", "POST"} {
				req, err := http.NewRequestWithContext(t.Context(), method, server.URL, nil)
				require.NoError(t, err)
				res, err := server.Client().Do(req)
				require.NoError(t, err)
				body, err := io.ReadAll(res.Body)
				require.NoError(t, err)
				res.Body.Close()

				assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode, method)
				assert.Equal(t, []string{tt.wantHeader}, res.Header.Values("Retry-After"), method)
				assert.Equal(t, []string{"application/json"}, res.Header.Values("Content-Type"), method)
				assert.EqualValues(t, len(tt.wantBody), res.ContentLength, method)
				if method == "HEAD" {
					assert.Empty(t, body, method)
				} else {
					assert.Equal(t, tt.wantBody, string(body), method)
				}
			}
		})
	}
}

// A writer that counts the calls of its methods.
type countingWriter struct {
	http.ResponseWriter
	calls int
}

func (w *countingWriter) Header() http.Header {
	w.calls++
	return w.ResponseWriter.Header()
}

func (w *countingWriter) WriteHeader(status int) {
	w.calls++
	w.ResponseWriter.WriteHeader(status)
}

func (w *countingWriter) Write(b []byte) (int, error) {
	w.calls++
	return w.ResponseWriter.Write(b)
}

func TestNothingIsWrittenForAClientThatHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: lab.NoLimit})
		require.NoError(t, c.Acquire(t.Context()))
		handler := lab.Protect(c, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			t.Error("the work was done for a client that has gone")
		}))

		ctx, cancel := context.WithCancel(t.Context())
		w := &countingWriter{ResponseWriter: httptest.NewRecorder()}
		var wg sync.WaitGroup
		wg.Go(func() {
			assert.PanicsWithValue(t, http.ErrAbortHandler, func() {
				handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/", nil))
			})
		})
		synctest.Wait()
		assert.Equal(t, 1, c.Stats().Waiting)
		cancel()
		wg.Wait()
		assert.Zero(t, w.calls, "calls of the response writer")
		assert.Equal(t, lab.Stats{Running: 1, PeakLine: 1, Arrived: 2, Admitted: 1, Gone: 1}, c.Stats())
	})
}

// Case M7: two handlers share the slots of one controller, and each request
// reaches its own.
func TestTwoHandlersUnderOneController(t *testing.T) {
	c := build(t, lab.Limits{Slots: 2, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit})
	name := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.LessOrEqual(t, c.Stats().Running, 2)
			io.WriteString(w, name)
		})
	}
	mux := http.NewServeMux()
	mux.Handle("/cats", lab.Protect(c, name("cats")))
	mux.Handle("/dogs", lab.Protect(c, name("dogs")))

	var wg sync.WaitGroup
	for range 100 {
		for _, animal := range []string{"cats", "dogs"} {
			wg.Go(func() {
				w := httptest.NewRecorder()
				mux.ServeHTTP(w, httptest.NewRequest("GET", "/"+animal, nil))
				assert.Equal(t, animal, w.Body.String())
			})
		}
	}
	wg.Wait()
	assert.Equal(t, 200, c.Stats().Admitted)
}

// The handler behind Protect has the writer of the server itself: it can flush.
func TestProtectKeepsTheWriter(t *testing.T) {
	c := build(t, lab.Limits{Slots: 1})
	w := httptest.NewRecorder()
	lab.Protect(c, http.HandlerFunc(func(inner http.ResponseWriter, r *http.Request) {
		assert.Same(t, w, inner)
		assert.NoError(t, http.NewResponseController(inner).Flush())
	})).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	assert.True(t, w.Flushed)
}

// A deadline that somebody else set on the server's side leaves the client there,
// waiting for an answer. An empty 200 would be a lie.
func TestDeadlineInLine(t *testing.T) {
	c := build(t, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: lab.NoLimit})
	require.NoError(t, c.Acquire(t.Context()))
	protected := lab.Protect(c, http.NotFoundHandler())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 20*time.Millisecond)
		defer cancel()
		protected.ServeHTTP(w, r.WithContext(ctx))
	}))
	defer server.Close()
	status, body, err := get(server)
	require.NoError(t, err)
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Equal(t, `{"error":"overloaded","reason":"deadline_passed"}`+"\n", body)
	assert.Equal(t, 1, c.Stats().Gone)
}

// doer is an Admitter of somebody's own.
type doer func(context.Context) error

func (d doer) Do(ctx context.Context, _ func() error) error { return d(ctx) }

// Work that never ran is never a success: not when the server ends the request
// with its client still there, and not when an Admitter has an error of its own.
func TestNoSuccessWithoutWork(t *testing.T) {
	c := build(t, lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: lab.NoLimit})
	require.NoError(t, c.Acquire(t.Context()))
	base, cancel := context.WithCancel(t.Context())
	server := httptest.NewUnstartedServer(lab.Protect(c, http.NotFoundHandler()))
	server.Config.BaseContext = func(net.Listener) context.Context { return base }
	server.Config.ErrorLog = quiet
	server.Start()
	defer server.Close()
	time.AfterFunc(20*time.Millisecond, cancel)
	_, _, err := get(server)
	assert.Error(t, err, "the connection is cut")

	server = httptest.NewServer(lab.Protect(doer(func(context.Context) error { return errors.New("out of order") }), http.NotFoundHandler()))
	defer server.Close()
	status, _, err := get(server)
	require.NoError(t, err)
	assert.Equal(t, http.StatusInternalServerError, status)
}

// A wait that no header should ask for is not turned into one of a second.
func TestRetryAfterIsCapped(t *testing.T) {
	server := httptest.NewServer(lab.Protect(doer(func(context.Context) error {
		return &lab.Overloaded{Reason: lab.LineFull, RetryAfter: math.MaxInt64}
	}), http.NotFoundHandler()))
	defer server.Close()
	res, err := server.Client().Get(server.URL)
	require.NoError(t, err)
	res.Body.Close()
	assert.Equal(t, "86400", res.Header.Get("Retry-After"))
}
