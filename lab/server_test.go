package lab

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/internal/memnet"
)

// parseServer returns a server with the settings of args and of the environment.
func parseServer(args ...string) (*Server, error) {
	s := NewServer("a server for the tests")
	return s, s.Parse(args, io.Discard)
}

// Every setting comes from a flag or from the environment, and in both the good
// and the bad values are the same. Durations may be plain seconds.
func TestServerSettings(t *testing.T) {
	const count, wait, duration = "want a whole number, 0 or more, or none",
		"want a duration from 0s to 24h, such as 300ms or a number of seconds, or none",
		"want a duration from 0s to 24h, such as 50ms, 1.5s or a number of seconds"
	for _, tt := range []struct {
		flag, value string
		get         func(*Server) any
		want        any
		problem     string // what the error says of a bad value
		bad         []string
	}{
		{"slots", "7", func(s *Server) any { return s.Limits.Slots }, 7, "want a whole number from 1 to 100000", []string{"0", "-1", "1.5", "abc", "", "100001"}},
		{"max-waiting", "0", func(s *Server) any { return s.Limits.MaxWaiting }, 0, count, []string{"-1", "abc", "1.5", "", "99999999999999999999"}},
		{"max-waiting", "none", func(s *Server) any { return s.Limits.MaxWaiting }, NoLimit, "", nil},
		{"max-wait", "0.3", func(s *Server) any { return s.Limits.MaxWait }, 300 * time.Millisecond, wait, []string{"nan", "inf", "-1ns", "-1", "5 s", ""}},
		{"max-wait", "1m", func(s *Server) any { return s.Limits.MaxWait }, time.Minute, "", nil},
		{"max-wait", "none", func(s *Server) any { return s.Limits.MaxWait }, time.Duration(NoLimit), "", nil},
		{"retry-after", "2", func(s *Server) any { return s.Limits.RetryAfter }, 2 * time.Second, duration, []string{"-1", "nan", "none", "abc"}},
		{"service-time", "20ms", func(s *Server) any { return s.ServiceTime }, 20 * time.Millisecond,
			"want a duration above 0s, up to 24h, such as 50ms, 1.5s or a number of seconds", []string{"0", "-1s", "NaN", "none"}},
		{"drain", "0", func(s *Server) any { return s.Drain }, time.Duration(0), duration, []string{"-1ms", "soon"}},
		{"addr", "127.0.0.1:0", func(s *Server) any { return s.Addr }, "127.0.0.1:0", "", nil},
	} {
		t.Run(tt.flag+"="+tt.value, func(t *testing.T) {
			variable := strings.ToUpper(strings.ReplaceAll(tt.flag, "-", "_"))
			s, err := parseServer("-" + tt.flag + "=" + tt.value)
			require.NoError(t, err)
			assert.Equal(t, tt.want, tt.get(s), "as a flag")
			for _, value := range tt.bad {
				_, err := parseServer("-" + tt.flag + "=" + value)
				assertUsage(t, err, `invalid value "`+value+`" for flag -`+tt.flag+": "+tt.problem+"; -h lists the flags")
			}
			for _, value := range tt.bad {
				t.Setenv(variable, value)
				_, err = parseServer()
				assertUsage(t, err, `invalid value "`+value+`" for the environment variable `+variable+": "+tt.problem)
			}
			t.Setenv(variable, tt.value)
			s, err = parseServer()
			require.NoError(t, err)
			assert.Equal(t, tt.want, tt.get(s), "from the environment")
		})
	}
}

// assertUsage fails t if err is not bad usage, told in this one line.
func assertUsage(t *testing.T, err error, want string) {
	t.Helper()
	assert.EqualError(t, err, want)
	status, said := ExitStatus(err)
	assert.Equal(t, 2, status, "exit status")
	assert.False(t, said)
	assert.NotContains(t, want, "\n")
}

func TestFlagWinsOverTheEnvironment(t *testing.T) {
	t.Setenv("MAX_WAITING", "none")
	t.Setenv("SLOTS", "9")
	s, err := parseServer("-max-waiting=3")
	require.NoError(t, err)
	assert.Equal(t, 3, s.Limits.MaxWaiting)
	assert.Equal(t, 9, s.Limits.Slots)
}

func TestServerUsage(t *testing.T) {
	_, err := parseServer("-retry-after=25h")
	assertUsage(t, err, `invalid value "25h" for flag -retry-after: want a duration from 0s to 24h, such as 50ms, 1.5s or a number of seconds; -h lists the flags`)
	_, err = parseServer("-nonsense")
	assertUsage(t, err, "flag provided but not defined: -nonsense; -h lists the flags")
	_, err = parseServer("nonsense")
	assertUsage(t, err, `unexpected argument "nonsense"; -h lists the flags`)
}

// lines passes on what is written, line by line.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		l <- strings.TrimSuffix(line, "\n")
	}
	return len(b), nil
}

// On a real socket: port 0 is a free port, which is printed, and a second server
// cannot have it.
func TestServeListens(t *testing.T) {
	printed := make(lines, 10)
	s := NewServer("a server for the tests")
	require.NoError(t, s.Parse([]string{"-addr=127.0.0.1:0"}, printed))
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- s.Serve(ctx, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), nil)
	}()
	t.Cleanup(stop)
	var line string
	select {
	case line = <-printed:
	case err := <-served:
		require.Fail(t, "it does not serve", "%v", err)
	}
	require.Regexp(t, `^listening on http://127\.0\.0\.1:[1-9][0-9]*$`, line)
	url := strings.TrimPrefix(line, "listening on ")
	status, err := statusOf(url)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, status)

	var second bytes.Buffer
	taken := NewServer("another server")
	address := strings.TrimPrefix(url, "http://")
	require.NoError(t, taken.Parse([]string{"-addr=" + address}, &second))
	err = taken.Serve(t.Context(), http.NotFoundHandler(), nil)
	assert.ErrorContains(t, err, "cannot listen on -addr "+address+": ")
	assert.NotContains(t, err.Error(), "\n")
	exit, _ := ExitStatus(err)
	assert.Equal(t, 2, exit, "exit status")
	assert.Empty(t, second.String(), "what the second server printed")
	status, err = statusOf(url)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, status, "of the first server")

	stop()
	assert.Equal(t, "stopping; the requests that are here have 10s", <-printed)
	assert.NoError(t, <-served)
	_, err = statusOf(url)
	assert.Error(t, err, "its port is free")
}

// A server that is told to stop goes on with the requests it has, in slots and in
// line, and cuts them off after Drain. The requests are a second of work each, in
// one slot, and come a moment before the server is told to stop.
func TestServeDrains(t *testing.T) {
	for _, tt := range []struct {
		drain    string
		finished int // of 3 requests, each a second of work in the only slot
	}{{"10s", 3}, {"2500ms", 2}, {"0", 0}} {
		t.Run(tt.drain, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := parseServer("-addr=127.0.0.1:0", "-slots=1", "-max-waiting=2", "-max-wait=none", "-drain="+tt.drain)
				require.NoError(t, err)
				c, err := NewController(s.Limits)
				require.NoError(t, err)
				service := NewService(c, func(ctx context.Context) error { return PretendWork(ctx, time.Second) })
				network := memnet.Listen()
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() {
					served <- s.Serve(ctx, service, func(real net.Listener) net.Listener {
						real.Close() // a bubble needs a network of its own
						return network
					})
				}()
				synctest.Wait()

				var mu sync.Mutex
				var wg sync.WaitGroup
				finished, cut := 0, 0
				client := &http.Client{Transport: &http.Transport{DialContext: network.Dial, DisableKeepAlives: true}}
				for range 3 {
					wg.Go(func() {
						answer, err := client.Get("http://" + network.Addr().String() + "/work")
						mu.Lock()
						defer mu.Unlock()
						if err != nil {
							cut++
							return
						}
						finished++
						assert.Equal(t, http.StatusOK, answer.StatusCode)
						answer.Body.Close()
					})
				}
				synctest.Wait()
				require.Equal(t, Stats{Running: 1, Waiting: 2, PeakLine: 2, Arrived: 3, Admitted: 1}, c.Stats())

				stop()
				told := time.Now()
				synctest.Wait()
				_, err = network.Dial(t.Context(), "", "")
				assert.Error(t, err, "nobody new is accepted")
				assert.NoError(t, <-served)
				// Shutdown looks twice a second whether its work is done.
				assert.LessOrEqual(t, time.Since(told), min(s.Drain, 4*time.Second), "how long it took to stop")
				wg.Wait()
				assert.Equal(t, tt.finished, finished, "requests finished")
				assert.Equal(t, 3-tt.finished, cut, "requests cut off")
			})
		})
	}
}

// A server that is stopped while it begins has closed its listener when it says so.
func TestServeStoppedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 200 {
		s, err := parseServer("-addr=127.0.0.1:0", "-drain=0s")
		require.NoError(t, err)
		var closed atomic.Bool
		require.NoError(t, s.Serve(ctx, http.NotFoundHandler(), func(l net.Listener) net.Listener {
			return closeNoter{l, &closed}
		}))
		require.True(t, closed.Load(), "it still listens")
	}
}

type closeNoter struct {
	net.Listener
	closed *atomic.Bool
}

func (l closeNoter) Close() error {
	defer l.closed.Store(true)
	return l.Listener.Close()
}

// The bounds that net/http leaves out by default.
func TestHTTPServerBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := memnet.Listen()
		server := NewHTTPServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		go server.Serve(network)
		defer server.Close()
		for _, tt := range []struct {
			name, sent string
			answer     string // how it begins
			closed     time.Duration
		}{
			{"a header that never ends", "GET / HTTP/1.1\r\nHost:", "", 5 * time.Second},
			{"an idle connection", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 OK\r\n", time.Minute},
			{"a header of 64 KB", "GET / HTTP/1.1\r\nHost: a\r\nA: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", "HTTP/1.1 431 ", time.Second},
		} {
			conn, err := network.Dial(t.Context(), "", "")
			require.NoError(t, err)
			_, err = io.WriteString(conn, tt.sent)
			require.NoError(t, err)
			began := time.Now()
			answer, err := io.ReadAll(conn)
			assert.NoError(t, err, tt.name)
			assert.LessOrEqual(t, time.Since(began), tt.closed, tt.name)
			assert.True(t, strings.HasPrefix(string(answer), tt.answer), "%s: the answer is %q", tt.name, answer)
			conn.Close()
		}
	})
}
