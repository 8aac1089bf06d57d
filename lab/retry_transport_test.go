package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A roundTripper is a service without a network: it works in a bubble.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// response is an answer with a status and the values of Retry-After.
func response(status int, retryAfter ...string) *http.Response {
	return &http.Response{
		StatusCode: status,
		Header:     http.Header{"Retry-After": retryAfter},
		Body:       io.NopCloser(strings.NewReader(fmt.Sprint("body of ", status))),
	}
}

// polite is a client of base that has a budget of its own.
func polite(base roundTripper) *http.Client {
	return &http.Client{Transport: &RetryTransport{Base: base, Retry: Retry{Budget: new(RetryBudget)}}}
}

// counting gives every request the same answer, and counts the sends.
func counting(sends *int, status int, retryAfter string) roundTripper {
	return func(*http.Request) (*http.Response, error) {
		*sends++
		return response(status, retryAfter), nil
	}
}

// Case R1 end to end, and R3: a service that asks for no wait, or for one that is
// over, gets no more than the three tries, with time between them.
func TestTransportWaits(t *testing.T) {
	for _, c := range []struct {
		retryAfter  func(now time.Time) string
		sends       int
		least, most time.Duration // in all
	}{
		{func(time.Time) string { return "2" }, 3, 4 * time.Second, 8 * time.Second},
		{func(now time.Time) string { return now.Add(3 * time.Second).UTC().Format(http.TimeFormat) }, 3, 6 * time.Second, 12 * time.Second},
		{func(time.Time) string { return "0" }, 3, 2, 300 * ms},
		{func(now time.Time) string { return now.Add(-time.Hour).UTC().Format(http.TimeFormat) }, 3, 2, 300 * ms},
		{func(time.Time) string { return "soon" }, 3, 2, 300 * ms},
		{func(time.Time) string { return "31" }, 1, 0, 0},
		{func(time.Time) string { return "99999999999999999999" }, 1, 0, 0},
		{func(time.Time) string { return "Thu, 03 Jan 2199 00:00:00 GMT" }, 1, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			start, sends := time.Now(), 0
			client := polite(func(*http.Request) (*http.Response, error) {
				sends++
				return response(http.StatusServiceUnavailable, c.retryAfter(time.Now())), nil
			})
			res, err := client.Get("http://service")
			require.NoError(t, err)
			assert.Equal(t, "body of 503", text(t, res), "the caller gets the last answer, whole")
			took, name := time.Since(start), c.retryAfter(start)
			assert.Equal(t, c.sends, sends, name)
			assert.GreaterOrEqual(t, took, c.least, name)
			assert.LessOrEqual(t, took, c.most, name)
		})
	}
}

func text(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(b)
}

// Case R3, for a caller that asks again and again for 2 s.
func TestTransportIsNoHotLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sends := 0
		client := polite(counting(&sends, http.StatusServiceUnavailable, "0"))
		client.Transport.(*RetryTransport).Retry.Tries = 1_000_000
		client.Transport.(*RetryTransport).Retry.Budget = &RetryBudget{Burst: 1_000_000}
		client.Timeout = 2 * time.Second
		start := time.Now()
		res, err := client.Get("http://service")
		require.NoError(t, err)
		assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
		res.Body.Close()
		assert.Less(t, sends, 20)
		assert.Less(t, time.Since(start), 2*time.Second, "it gave up before its patience did")
	})
}

// Case R4: 1000 clients that are turned away in one instant do not come back in
// one.
func TestTransportSpreadsTheHerd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		var back []time.Duration
		random := Seeded(1, 2)
		var wg sync.WaitGroup
		for range 1000 {
			turnedAway := false
			client := polite(func(*http.Request) (*http.Response, error) {
				if !turnedAway {
					turnedAway = true
					return response(http.StatusServiceUnavailable, "1"), nil
				}
				mu.Lock()
				defer mu.Unlock()
				back = append(back, time.Since(start))
				return response(http.StatusOK), nil
			})
			client.Transport.(*RetryTransport).Retry.Random = random
			wg.Go(func() {
				res, err := client.Get("http://service")
				if assert.NoError(t, err) {
					res.Body.Close()
				}
			})
		}
		wg.Wait()

		require.Len(t, back, 1000)
		assert.Greater(t, slices.Min(back), time.Second, "nobody is early")
		assert.LessOrEqual(t, slices.Max(back), 2*time.Second)
		in := map[time.Duration]int{}
		for _, at := range back {
			in[at/(100*ms)]++
		}
		for tenth, n := range in {
			assert.Less(t, n, 150, "came back in the 100 ms from %v on", tenth*100*ms)
		}
	})
}

// Case R6: a body is sent again whole, if the caller says that the request may be
// repeated.
func TestTransportRepeatsBodies(t *testing.T) {
	const payload = "63 bytes: 00123456789012345678901234567890123456789012345678901"
	for _, c := range []struct {
		name   string
		method string
		header http.Header
		body   io.Reader
		want   []int // bytes that arrive with each try
	}{
		{"POST, retries asked for", "POST", http.Header{"Idempotency-Key": {"k"}}, strings.NewReader(payload), []int{63, 63, 63}},
		{"POST, asked for but not on the wire", "POST", http.Header{"Idempotency-Key": nil}, strings.NewReader(payload), []int{63, 63, 63}},
		{"POST", "POST", http.Header{}, strings.NewReader(payload), []int{63}},
		{"POST without a body", "POST", http.Header{}, nil, []int{0}},
		{"PATCH", "PATCH", http.Header{}, strings.NewReader(payload), []int{63}},
		{"PUT", "PUT", http.Header{}, bytes.NewReader([]byte(payload)), []int{63, 63, 63}},
		{"PUT without GetBody", "PUT", http.Header{}, io.NopCloser(strings.NewReader(payload)), []int{63}},
		{"GET", "GET", http.Header{}, nil, []int{0, 0, 0}},
		{"DELETE", "DELETE", http.Header{}, http.NoBody, []int{0, 0, 0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var arrived []int
			client := polite(func(req *http.Request) (*http.Response, error) {
				n := 0
				if req.Body != nil {
					b, err := io.ReadAll(req.Body)
					assert.NoError(t, err)
					assert.NoError(t, req.Body.Close())
					n = len(b)
				}
				arrived = append(arrived, n)
				if len(arrived) < 3 {
					return response(http.StatusServiceUnavailable, "1"), nil
				}
				return response(http.StatusOK), nil
			})
			req, err := http.NewRequest(c.method, "http://service", c.body)
			require.NoError(t, err)
			req.Header = c.header
			res, err := client.Do(req)
			require.NoError(t, err)
			res.Body.Close()
			assert.Equal(t, c.want, arrived, c.name)
		})
	}
}

// A 503 and a 429 are tried again, and nothing else; nothing else costs anything.
func TestTransportRetriesOnlyRefusals(t *testing.T) {
	for status, want := range map[int]int{200: 1, 301: 1, 404: 1, 408: 1, 429: 3, 500: 1, 502: 1, 503: 3, 504: 1} {
		synctest.Test(t, func(t *testing.T) {
			sends := 0
			rt := polite(counting(&sends, status, "1")).Transport.(*RetryTransport)
			res, err := rt.RoundTrip(httptest.NewRequest("GET", "http://service", nil))
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprint("body of ", status), text(t, res))
			assert.Equal(t, want, sends, status)
			assert.Equal(t, (want-1)*token, rt.Retry.Budget.spent, status)
		})
	}
	failed := errors.New("no route")
	sends := 0
	_, err := polite(func(*http.Request) (*http.Response, error) { sends++; return nil, failed }).Get("http://service")
	assert.ErrorIs(t, err, failed)
	assert.Equal(t, 1, sends)
}

// A client waits only if it will have time for another try, and otherwise gets
// the answer it has, at once.
func TestTransportGivesUpAtOnce(t *testing.T) {
	for name, set := range map[string]func(*http.Client){
		"no time":   func(c *http.Client) { c.Timeout = time.Second },
		"no tries":  func(c *http.Client) { c.Transport.(*RetryTransport).Retry.Tries = 1 },
		"no budget": func(c *http.Client) { c.Transport.(*RetryTransport).Retry.Budget = nil },
		"zero Retry": func(c *http.Client) {
			c.Transport = &RetryTransport{Base: c.Transport.(*RetryTransport).Base}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			sends := 0
			client := polite(counting(&sends, http.StatusServiceUnavailable, "1"))
			set(client)
			start := time.Now()
			res, err := client.Get("http://service")
			require.NoError(t, err, name)
			assert.Zero(t, time.Since(start), name)
			assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode, name)
			assert.Equal(t, "body of 503", text(t, res), name)
			assert.Equal(t, 1, sends, name)
		})
	}
}

func TestTransportCancelledWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		time.AfterFunc(300*ms, cancel)
		start, sends := time.Now(), 0
		req, err := http.NewRequestWithContext(ctx, "GET", "http://service", nil)
		require.NoError(t, err)
		_, err = polite(counting(&sends, http.StatusServiceUnavailable, "1")).Do(req)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 300*ms, time.Since(start))
		assert.Equal(t, 1, sends)
	})
}

// An endless answer that nobody wants is not read to its end.
func TestTransportDrainsNoMoreThanItMust(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endless := &endlessBody{}
		sends := 0
		res, err := polite(func(*http.Request) (*http.Response, error) {
			if sends++; sends == 1 {
				return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: endless}, nil
			}
			return response(http.StatusOK), nil
		}).Get("http://service")
		require.NoError(t, err)
		assert.Equal(t, "body of 200", text(t, res))
		assert.True(t, endless.closed)
		assert.LessOrEqual(t, endless.read, 2*maxDrain)
	})
}

type endlessBody struct {
	read   int
	closed bool
}

func (b *endlessBody) Read(p []byte) (int, error) { b.read += len(p); return len(p), nil }
func (b *endlessBody) Close() error               { b.closed = true; return nil }

// Over real sockets: a try after a refusal takes the connection of the refusal.
func TestTransportReusesConnections(t *testing.T) {
	var connections, requests atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1)%3 == 0 {
			return
		}
		w.WriteHeader(http.StatusTooManyRequests)
		w.Write(bytes.Repeat([]byte("x"), 20_000))
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client := &http.Client{Transport: &RetryTransport{
		Base:  server.Client().Transport,
		Retry: Retry{Base: ms, Budget: &RetryBudget{Burst: 100}},
	}}
	for range 10 {
		res, err := client.Get(server.URL)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, res.StatusCode)
		res.Body.Close()
	}
	assert.EqualValues(t, 30, requests.Load())
	assert.EqualValues(t, 1, connections.Load())
}

// The rest of an answer that is long in coming delays nobody.
func TestTransportStalledAnswer(t *testing.T) {
	for _, closeWaits := range []bool{false, true} {
		testStalledAnswer(t, closeWaits)
	}
}

// The body of an answer that is unzipped on the way cannot be closed while somebody
// waits in Read for its first bytes.
func testStalledAnswer(t *testing.T, closeWaits bool) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		comes, end := io.Pipe()
		defer end.Close()
		stalled := &stalledBody{ReadCloser: comes, read: make(chan struct{}), closeWaits: closeWaits}
		transport := &RetryTransport{
			Retry: Retry{Budget: new(RetryBudget), Random: func() float64 { return 0 }},
			Base: roundTripper(func(*http.Request) (*http.Response, error) {
				if tries++; tries > 1 {
					return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
				}
				return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"1"}}, Body: stalled}, nil
			}),
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://memory.invalid/", nil)
		require.NoError(t, err)
		start := time.Now()
		res, err := transport.RoundTrip(req)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, res.StatusCode)
		assert.Less(t, time.Since(start), 3*time.Second)
	})
}

type stalledBody struct {
	io.ReadCloser
	read       chan struct{}
	closeWaits bool
}

func (b *stalledBody) Read(p []byte) (int, error) {
	defer close(b.read)
	return b.ReadCloser.Read(p)
}

func (b *stalledBody) Close() error {
	if b.closeWaits {
		<-b.read
	}
	return b.ReadCloser.Close()
}
