package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/internal/memnet"
	"example.com/sheddinglab/lab"
)

// The tests here are in virtual time.

func TestSweepURLGolden(t *testing.T) {
	quick := func(args ...string) []string { return append(args, "-duration=2s", "-warm-up=500ms") }
	golden.Cases(t, sweepIn(demo(protectedLimits), nil),
		golden.Case{Name: "url-protected"},
		golden.Case{Name: "url-capacity-too-high", Args: quick("-capacity=200", "-multiples=0.5")},
		golden.Case{Name: "url-no-overload", Args: quick("-multiples=0.5,1"), Want: lab.ErrInconclusive},
		golden.Case{Name: "url-above-max-rate", Args: quick("-max-rate=150")},
		golden.Case{Name: "url-max-rate-too-low", Args: []string{"-max-rate=60"}, Want: lab.ErrInconclusive},
		golden.Case{Name: "url-cut-short", Interrupt: 18 * time.Second, Want: lab.ErrInterrupted},
		golden.Case{Name: "url-cut-short-at-once", Interrupt: 10 * time.Millisecond, Want: lab.ErrInterrupted},
		golden.Case{Name: "url-cut-short-measuring", Interrupt: time.Second, Want: lab.ErrInterrupted},
	)
	golden.Cases(t, sweepIn(demo(noLimits), nil),
		golden.Case{Name: "url-unprotected"},
		golden.Case{Name: "url-line-still-growing", Args: []string{"-capacity=79.9", "-patience=5s", "-multiples=1,1.5"}, Want: lab.ErrInconclusive},
	)
	golden.Cases(t, sweepIn(deaf, nil),
		golden.Case{Name: "url-deaf", Args: quick("-go-on", "-capacity=79.9", "-multiples=0.5,2,1.5")},
		golden.Case{Name: "url-deaf-not-drained", Args: quick("-go-on", "-capacity=79.9", "-multiples=2,1", "-drain=500ms"), Want: lab.ErrInconclusive},
	)
	golden.Cases(t, sweepIn(always(http.StatusServiceUnavailable), nil),
		golden.Case{Name: "url-refuses-everybody", Args: quick("-rates=40,120", "-capacity=80"), Want: lab.ErrInconclusive},
		golden.Case{Name: "url-refuses-everybody-unmeasured", Want: lab.ErrInconclusive},
	)
}

// rowsOf runs a sweep and returns its rows.
func rowsOf(t *testing.T, sweep golden.Run, args ...string) []urlRow {
	t.Helper()
	document, err := golden.Step(t, sweep, 0, append(args, "-json")...)
	if !errors.Is(err, lab.ErrInconclusive) {
		require.NoError(t, err)
	}
	var d struct{ Rows []urlRow }
	require.NoError(t, json.Unmarshal([]byte(document), &d))
	return d.Rows
}

// Case G9: a service whose first twenty answers are slow. Upwards and downwards
// the figures are the same, and the service has nothing to do when a load begins.
func TestSweepURLColdStart(t *testing.T) {
	cold := func() http.Handler {
		service := newDemo(noLimits)
		var served atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if served.Add(1) <= 20 {
				time.Sleep(500 * time.Millisecond)
			}
			service.ServeHTTP(w, r)
		})
	}
	up := rowsOf(t, sweepIn(cold, nil), "-capacity=79.9", "-go-on", "-duration=2s", "-multiples=0.5,1,2")
	down := rowsOf(t, sweepIn(cold, nil), "-capacity=79.9", "-go-on", "-duration=2s", "-multiples=2,1,0.5")
	slices.Reverse(down)
	require.Len(t, up, 3)
	require.Len(t, down, 3)
	for i := range up {
		assert.InDelta(t, up[i].Goodput, down[i].Goodput, 2, up[i].Policy)
		assert.Equal(t, up[i].Offered, down[i].Offered)
	}
	assert.InDelta(t, 50, float64(up[0].P99), 1, "the slow ones are in the warm-up")
}

// Cases G5 and G8: about as many connections as requests at once, or one for each.
func TestSweepURLConnections(t *testing.T) {
	var connections atomic.Int64
	sweep := sweepIn(demo(protectedLimits), &connections)
	args := []string{"-capacity=79.9", "-multiples=0.95,1.2", "-duration=4s"}
	first := rowsOf(t, sweep, args...)
	assert.LessOrEqual(t, connections.Swap(0), int64(44), "never more than are in a slot or in line")
	assert.Greater(t, first[0].OK, 290)

	rowsOf(t, sweep, append(args, "-keep-alive=false")...)
	assert.Greater(t, connections.Swap(0), int64(750))

	rowsOf(t, sweep, "-capacity=79.9", "-multiples=0.5", "-connections=3")
	assert.LessOrEqual(t, connections.Load(), int64(3))
}

// A service that breaks down in the middle is told from one that refuses.
func TestSweepURLErrors(t *testing.T) {
	breaking := func() http.Handler {
		var n atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch n := n.Add(1); {
			case n <= 300:
			case n%3 == 0:
				w.WriteHeader(http.StatusInternalServerError)
			case n%3 == 1:
				panic(http.ErrAbortHandler) // cuts the connection
			default:
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(http.StatusFound)
			}
		})
	}
	// net/http would try a GET again by itself.
	args := []string{"-capacity=100", "-multiples=0.5,2", "-method=POST"}
	text, err := golden.Step(t, sweepIn(breaking, nil), 0, args...)
	assert.NoError(t, err)
	assert.Regexp(t, `errors:\s+302 x \d+,\s+500 x \d+,\s+connection closed x \d+`, text)
	assert.Contains(t, text, "find out what the errors are")

	rows := rowsOf(t, sweepIn(breaking, nil), args...)
	last := rows[len(rows)-1]
	assert.Equal(t, last.Failed, last.ByStatus[302]+last.ByStatus[500]+last.ByKind[lab.Closed])
}

// What is the generator's own fault says nothing about the service.
func TestSweepURLOwnFaults(t *testing.T) {
	for _, fault := range []error{syscall.EMFILE, syscall.EADDRNOTAVAIL} {
		text, err := golden.Step(t, func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			memory := memnet.Listen()
			server := lab.NewHTTPServer(always(200)())
			go server.Serve(memory)
			defer server.Close()
			dials := 0
			return sweepVia(ctx, append(args, "-url=http://127.0.0.1/"), stdout, stderr, network{
				dial: func(ctx context.Context, network, address string) (net.Conn, error) {
					if dials++; dials > 10 {
						return nil, &net.OpError{Op: "dial", Net: network, Err: fault}
					}
					return memory.Dial(ctx, network, address)
				},
			})
		}, 0, "-capacity=20", "-multiples=0.5,2", "-keep-alive=false")
		assert.ErrorIs(t, err, lab.ErrInconclusive)
		assert.Contains(t, text, string(lab.KindOf(fault))+" x ")
		assert.Contains(t, text, "of the requests failed on this side")
	}
}

func TestSweepURLCSV(t *testing.T) {
	text, err := golden.Step(t, func(ctx context.Context, args []string, stdout, _ io.Writer) error {
		return sweepIn(demo(protectedLimits), nil)(ctx, args, stdout, io.Discard) // where the report goes
	}, 0, "-csv", "-capacity=79.9", "-multiples=0.5,2", "-duration=2s")
	assert.NoError(t, err)
	golden.Compare(t, "url.csv", text)
}
