package lab_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/internal/memnet"
	"example.com/sheddinglab/lab"
)

// A memServer is an HTTP server in a bubble, on a network in memory, and a client
// of it.
type memServer struct {
	network *memnet.Listener
	client  *http.Client
	url     string
}

// serveInMemory starts one, of HTTP/1.1 or of HTTP/2 without TLS, which ends with
// the test. The test fails if the server
// had an error to log, such as a second WriteHeader.
func serveInMemory(t *testing.T, h http.Handler, http2 bool) *memServer {
	var errorLog bytes.Buffer
	network := memnet.Listen()
	server := lab.NewHTTPServer(h)
	server.ErrorLog = log.New(&errorLog, "", 0)
	transport := &http.Transport{DialContext: network.Dial}
	if http2 {
		server.Protocols, transport.Protocols = new(http.Protocols), new(http.Protocols)
		server.Protocols.SetUnencryptedHTTP2(true)
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	go server.Serve(network)
	t.Cleanup(func() {
		server.Close()
		transport.CloseIdleConnections()
		synctest.Wait()
		assert.Empty(t, errorLog.String(), "the server's error log")
	})
	return &memServer{network, &http.Client{Transport: transport}, "http://" + network.Addr().String()}
}

// get asks for path, and hangs up after patience.
func (s *memServer) get(t *testing.T, path string, patience time.Duration) (status int, body string, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	require.NoError(t, err)
	res, err := s.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, string(b), err
}

// send opens a connection and writes a request to it.
func (s *memServer) send(t *testing.T, request string) net.Conn {
	conn, err := s.network.Dial(t.Context(), "", "")
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	_, err = io.WriteString(conn, strings.ReplaceAll(request, "\n", "\r\n"))
	require.NoError(t, err)
	return conn
}

// Case M1: a client hangs up in line. net/http sees it by reading from the
// connection, which it does not do while there is a body that nobody has read.
func TestHangUpInLine(t *testing.T) {
	const get, post = "GET / HTTP/1.1\nHost: a\n\n", "POST / HTTP/1.1\nHost: a\nContent-Length: 5\n\nhello"
	seen := lab.Stats{Running: 1, PeakLine: 1, Arrived: 2, Admitted: 1, Gone: 1}
	unseen := lab.Stats{Running: 1, Waiting: 1, PeakLine: 1, Arrived: 2, Admitted: 1}
	shed := lab.Stats{Running: 1, PeakLine: 1, Arrived: 2, Admitted: 1, ShedWaitedTooLong: 1}
	for _, tt := range []struct {
		name, request string
		readFirst     bool      // by a handler outside of Protect
		soon, end     lab.Stats // 200 ms after the hang-up, and after MaxWait
	}{
		{"GET", get, false, seen, seen},
		{"POST", post, false, unseen, shed},
		{"POST whose body has been read", post, true, seen, seen},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := build(t, lab.Limits{Slots: 1, MaxWaiting: 5, MaxWait: 5 * time.Second})
				require.NoError(t, c.Acquire(t.Context()))
				protected := lab.Protect(c, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
					t.Error("the work was done for a client that has gone")
				}))
				s := serveInMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if tt.readFirst {
						io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, 1<<10))
					}
					protected.ServeHTTP(w, r)
				}), false)
				conn := s.send(t, tt.request)
				time.Sleep(100 * time.Millisecond)
				require.Equal(t, 1, c.Stats().Waiting)
				conn.Close()
				time.Sleep(200 * time.Millisecond)
				assert.Equal(t, tt.soon, c.Stats(), "200 ms after the hang-up")
				time.Sleep(5 * time.Second)
				assert.Equal(t, tt.end, c.Stats(), "after MaxWait")
				c.Release() // nobody is left who could take the slot
				time.Sleep(time.Second)
			})
		})
	}
}

// Case M2: of three that wait, one waits too long, one's client leaves and one is
// served, each as it should be, and none of them twice.
func TestThreeWaysOutOfTheLine(t *testing.T) {
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := build(t, lab.Limits{Slots: 1, MaxWaiting: 3, MaxWait: time.Second})
				require.NoError(t, c.Acquire(t.Context()))
				s := serveInMemory(t, lab.Protect(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					io.WriteString(w, r.Proto)
				})), protocol == "HTTP/2.0")
				var wg sync.WaitGroup
				wg.Go(func() {
					status, body, err := s.get(t, "/", time.Minute)
					assert.NoError(t, err)
					assert.Equal(t, http.StatusServiceUnavailable, status)
					assert.Contains(t, body, `"waited_too_long"`)
				})
				wg.Go(func() {
					_, _, err := s.get(t, "/", 500*time.Millisecond)
					assert.ErrorIs(t, err, context.DeadlineExceeded)
				})
				time.Sleep(800 * time.Millisecond)
				wg.Go(func() {
					status, body, err := s.get(t, "/", time.Minute)
					assert.NoError(t, err)
					assert.Equal(t, http.StatusOK, status)
					assert.Equal(t, protocol, body)
				})
				time.Sleep(400 * time.Millisecond)
				c.Release()
				wg.Wait()
				synctest.Wait()
				assert.Equal(t, lab.Stats{PeakLine: 2, Arrived: 4, Admitted: 2, ShedWaitedTooLong: 1, Gone: 1}, c.Stats())
			})
		})
	}
}

// Case M4: work that does not end with its context goes on after the timeout. With
// TimeoutHandler outside it keeps its slot. Inside, the slot goes to the next
// request, and "two slots" are ten at work.
func TestTimeoutHandlerOutsideAndInside(t *testing.T) {
	const timeout, between, workTime = 50 * time.Millisecond, 60 * time.Millisecond, 290 * time.Millisecond
	for _, tt := range []struct {
		name        string
		stack       func(c *lab.Controller, work http.Handler) http.Handler
		most, total int // of the work: at the same time, and in all
	}{
		{"outside", func(c *lab.Controller, work http.Handler) http.Handler {
			return http.TimeoutHandler(lab.Protect(c, work), timeout, "")
		}, 2, 4},
		{"inside", func(c *lab.Controller, work http.Handler) http.Handler {
			return lab.Protect(c, http.TimeoutHandler(work, timeout, ""))
		}, 10, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := build(t, lab.Limits{Slots: 2})
				var mu sync.Mutex
				running, most, total := 0, 0, 0
				count := func(change int) {
					mu.Lock()
					defer mu.Unlock()
					running += change
					total += max(0, change)
					most = max(most, running)
				}
				handler := tt.stack(c, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
					count(+1)
					time.Sleep(workTime)
					count(-1)
				}))
				for range 10 {
					for range 2 {
						go func() {
							w := httptest.NewRecorder()
							handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
							assert.Equal(t, http.StatusServiceUnavailable, w.Code, "the time is over, or the slots are taken")
						}()
					}
					time.Sleep(between)
				}
				time.Sleep(workTime)
				synctest.Wait()
				assert.Equal(t, tt.most, most, "at work at the same time, with 2 slots")
				assert.Equal(t, tt.total, total, "at work in all, of 20 requests")
			})
		})
	}
}

// Case M8, the stream that is closed: it holds its slot until it is written to.
// With a kernel in between the first write may still succeed; the second fails.
func TestStreamHoldsItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 2, MaxWaiting: 0})
		s := serveInMemory(t, lab.Protect(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			out := http.NewResponseController(w)
			for {
				assert.NoError(t, out.SetWriteDeadline(time.Now().Add(time.Minute)))
				io.WriteString(w, "data: tick\n\n")
				if out.Flush() != nil {
					return
				}
				time.Sleep(time.Second)
			}
		})), false)
		const request = "GET / HTTP/1.1\nHost: a\n\n"
		first, second := s.send(t, request), s.send(t, request)
		time.Sleep(2500 * time.Millisecond)
		assert.Equal(t, 2, c.Stats().Running)
		status, body, err := s.get(t, "/", time.Minute)
		assert.NoError(t, err)
		assert.Equal(t, http.StatusServiceUnavailable, status)
		assert.Contains(t, body, `"line_full"`)

		first.Close()
		synctest.Wait()
		assert.Equal(t, 2, c.Stats().Running, "until the next write")
		time.Sleep(time.Second)
		assert.Equal(t, 1, c.Stats().Running, "after the next write")
		second.Close()
		time.Sleep(time.Second)
		assert.Zero(t, c.Stats().Running)
	})
}

// Case M8, the stream that freezes: its client is there and reads nothing. Only a
// write deadline ends that. A real socket, for its buffers that fill.
func TestFrozenStreamEndsWithItsWriteDeadline(t *testing.T) {
	t.Parallel()
	c := build(t, lab.Limits{Slots: 1})
	ended := make(chan error, 1)
	server := httptest.NewServer(lab.Protect(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := http.NewResponseController(w)
		chunk := make([]byte, 1<<20)
		for err := error(nil); ; _, err = w.Write(chunk) {
			if err != nil {
				ended <- err
				return
			}
			out.SetWriteDeadline(time.Now().Add(200 * time.Millisecond))
		}
	})))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	require.NoError(t, err)
	select {
	case err := <-ended:
		assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
	case <-time.After(30 * time.Second):
		require.Fail(t, "the frozen stream still holds its slot after 30 s, want about 200 ms")
	}
	assert.Eventually(t, func() bool { return c.Stats().Running == 0 }, 5*time.Second, time.Millisecond, "its slot is free")
}

// A handler that takes over its connection holds a slot until it returns, not as
// long as it, or somebody else, uses the connection.
func TestHijackThroughProtect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1})
		hijacked := make(chan net.Conn, 1)
		s := serveInMemory(t, lab.Protect(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if assert.NoError(t, err) {
				hijacked <- conn
			}
			time.Sleep(time.Second)
		})), false)
		conn := s.send(t, "GET / HTTP/1.1\nHost: a\n\n")
		server := <-hijacked
		defer server.Close()
		assert.Equal(t, 1, c.Stats().Running)
		time.Sleep(2 * time.Second)
		assert.Zero(t, c.Stats().Running)
		_, err := io.WriteString(server, "mine")
		require.NoError(t, err)
		text := make([]byte, 4)
		_, err = io.ReadFull(conn, text)
		require.NoError(t, err)
		assert.Equal(t, "mine", string(text))
	})
}

// A connection that is kept for the next request is no load.
func TestIdleConnectionsHoldNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := build(t, lab.Limits{Slots: 1})
		var done atomic.Int32
		s := serveInMemory(t, lab.Protect(c, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			done.Add(1)
		})), false)
		conns := make([]net.Conn, 200)
		for i := range conns {
			conns[i] = s.send(t, "GET / HTTP/1.1\nHost: a\n\n")
			res, err := http.ReadResponse(bufio.NewReader(conns[i]), nil)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, res.StatusCode, "request %d, with %d idle connections", i, i)
			synctest.Wait()
		}
		assert.Equal(t, lab.Stats{Arrived: 200, Admitted: 200}, c.Stats())
		assert.EqualValues(t, 200, done.Load())
		time.Sleep(2 * time.Minute)
		for _, conn := range conns {
			_, err := conn.Read(make([]byte, 1))
			assert.ErrorIs(t, err, io.EOF, "closed by NewHTTPServer's IdleTimeout")
		}
	})
}

// Case G8: the users of a closed loop keep their connections. A transport may dial
// while another connection becomes free, so there can be some more.
func TestClosedLoopKeepsItsConnections(t *testing.T) {
	const users = 50
	var connections, arrived atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	_, err := lab.ClosedLoop{URL: server.URL, Users: users, Duration: 150 * time.Millisecond, Patience: time.Minute}.Run(t.Context())
	require.NoError(t, err)
	assert.LessOrEqual(t, connections.Load(), int32(2*users), "connections of %d users for %d requests", users, arrived.Load())
}
