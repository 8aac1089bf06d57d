package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// The tests here use real connections on loopback, so nothing depends on how fast
// the machine is. TestMain sees to it that no connection is left.

// short is a sweep of two loads that is over soon, at a service with work of 10 ms.
var short = []string{"-capacity=400", "-multiples=0.25,1.5", "-go-on", "-duration=150ms", "-warm-up=50ms", "-patience=2s"}

// at runs a sweep at a server and returns its output.
func at(t *testing.T, handler http.Handler, path string, args ...string) (stdout string, err error) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	defer server.CloseClientConnections()
	var out, stderr bytes.Buffer
	err = sweepURL(t.Context(), append([]string{"-url=" + server.URL + path, "-out=" + t.TempDir()}, args...), &out, &stderr)
	return out.String(), err
}

// flat is text without its line breaks.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestSweepURLStates(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]lab.Limits{"protected": {Slots: 4, MaxWaiting: 4, MaxWait: time.Second, RetryAfter: time.Second}, "unprotected": noLimits} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document, err := at(t, newService(limits, 10*time.Millisecond), "/work", slices.Concat(short, []string{"-json"})...)
			status, said := lab.ExitStatus(err)
			assert.Contains(t, []int{0, 3}, status, "%s: %v", name, err)
			assert.True(t, said, name)
			var d struct {
				Rows    []urlRow
				Verdict lab.Verdict
			}
			require.NoError(t, json.Unmarshal([]byte(document), &d), document)
			require.NotEmpty(t, d.Rows, document)
			assert.Contains(t, []lab.Verdict{lab.Found, lab.Inconclusive}, d.Verdict)
			for _, r := range d.Rows {
				assert.Equal(t, r.Offered, r.OK+r.Shed+r.Timeout+r.Failed, name)
				assert.Positive(t, r.OK, name)
				assert.Zero(t, r.Failed, name)
				assert.Equal(t, r.Shed, r.WithRetryAfter, name)
			}
		})
	}
}

func TestSweepURLAlwaysRefused(t *testing.T) {
	t.Parallel()
	text, err := at(t, always(http.StatusTooManyRequests)(), "/", short...)
	assert.ErrorIs(t, err, lab.ErrInconclusive)
	assert.Contains(t, flat(text), "everybody was refused, at the lowest load too")
	assert.Contains(t, flat(text), `none of 105 says when to come back (Retry-After); the first was a 429, Retry-After ""`)
}

// Nobody there, or not what was expected: one line, status 2, and no load.
func TestSweepURLUnusable(t *testing.T) {
	t.Parallel()
	dead := httptest.NewServer(nil)
	dead.Close()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/moved":
			w.Header().Set("Location", "https://example.com/new")
			w.WriteHeader(http.StatusMovedPermanently)
		case "/slow":
			<-r.Context().Done()
		case "/cut":
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	for url, want := range map[string]string{
		dead.URL:                 "-url " + dead.URL + " does not answer: connection refused (dial tcp",
		server.URL + "/none":     "answers single requests with 404 Not Found: there is nothing to sweep",
		server.URL + "/moved":    "/moved answers 301 and sends its clients to https://example.com/new: redirects are not followed, so give that one",
		server.URL + "/slow":     "/slow does not answer single requests within -patience, which is 20ms",
		server.URL + "/cut":      "/cut does not answer: connection closed (EOF)",
		"https" + server.URL[4:]: "does not answer: TLS failure (http: server gave HTTP response to HTTPS client)",
	} {
		asked.Store(0)
		patience := "-patience=1m"
		if strings.HasSuffix(url, "/slow") {
			patience = "-patience=20ms"
		}
		var stdout bytes.Buffer
		err := sweepURL(t.Context(), []string{"-url=" + url, patience}, &stdout, io.Discard)
		assert.ErrorContains(t, err, want)
		status, said := lab.ExitStatus(err)
		assert.Equal(t, 2, status, url)
		assert.False(t, said)
		assert.LessOrEqual(t, asked.Load(), int64(10), url)
		assert.NotContains(t, stdout.String(), "goodput/s")
		assert.NotContains(t, err.Error(), "\n")
	}
}

// The closed loop over real connections, by hey. What is sent is what was asked for,
// by both generators.
func TestSweepURLRequest(t *testing.T) {
	t.Parallel()
	var oneAtATime sync.Mutex
	var wrong atomic.Int64
	text, err := at(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != "PUT" || string(body) != "63 bytes" || r.Host != "shop.example" ||
			strings.Join(r.Header["Color"], "+") != "red+green" || r.Header.Get("Authorization") != "secret" {
			wrong.Add(1)
		}
		oneAtATime.Lock()
		defer oneAtATime.Unlock()
		time.Sleep(10 * time.Millisecond)
		w.WriteHeader(http.StatusCreated)
	}), "/", "-method=put", "-body=63 bytes", "-H=Host: shop.example", "-H", "Color:red", "-H=color: green",
		"-H=Authorization: secret", "-connections=1", "-multiples=0.5", "-duration=200ms", "-warm-up=10ms")
	assert.ErrorIs(t, err, lab.ErrInconclusive)
	assert.Zero(t, wrong.Load())
	text = flat(text)
	assert.Regexp(t, `Users in a closed loop: 1; answers per second: .*\.`, text)
	assert.Regexp(t, `capacity: \d+\.\d/s, measured with users in a closed loop: 1`, text)
	assert.Contains(t, text, "still growing in the largest closed loop, of 1")
	assert.Contains(t, text, "-H=Authorization,Color,Host -body=(8 bytes)")
	assert.NotContains(t, text, "secret")
}

// An answer without end is read up to a bound.
func TestSweepURLEndlessAnswers(t *testing.T) {
	t.Parallel()
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for chunk := make([]byte, 32<<10); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	text, _ := at(t, endless, "/", "-rates=50", "-capacity=10", "-duration=100ms", "-warm-up=50ms")
	assert.Contains(t, text, "Findings:")
	assert.NotContains(t, text, "errors:")
}

// Ctrl-C in the middle: what there is is printed, and soon.
func TestSweepURLInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked atomic.Int64
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 50 {
			cancel()
		}
	})
	server := httptest.NewServer(handler)
	defer server.Close()
	var stdout bytes.Buffer
	err := sweepURL(ctx, []string{"-url=" + server.URL, "-out=" + t.TempDir(), "-capacity=200", "-multiples=2", "-duration=1m", "-warm-up=10ms"}, &stdout, io.Discard)
	assert.ErrorIs(t, err, lab.ErrInterrupted)
	assert.Contains(t, stdout.String(), "the run was cut short")
	assert.Contains(t, stdout.String(), "not sent")
	assert.NotContains(t, stdout.String(), "NaN")
}
