package goodput

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"example.com/sheddinglab/lab"
)

var duration = flag.Duration("duration", 5*time.Second, "of one load; with -short it is a twentieth of this")

// TestMain is also the main function of the servers that the benchmark starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		lab.Main(func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			return serve(ctx, args[1:], stdout, stderr)
		})
	}
	goleak.VerifyTestMain(m)
}

const (
	capacity = 80                     // requests per second: slots / service time, of the defaults
	patience = 500 * time.Millisecond // enough for the longest wait and the work
)

func BenchmarkGoodput(b *testing.B) {
	multiples := []int{1, 16, 64}
	if testing.Short() {
		multiples = []int{64}
	}
	for _, peer := range peers {
		b.Run("peer="+peer, func(b *testing.B) {
			for b.Loop() {
				at4 := measure(b, peer, 4)
				held := at4.held
				b.ReportMetric(at4.Steady, "4x/s")
				for _, multiple := range multiples {
					r := measure(b, peer, multiple)
					held = held && r.held
					b.ReportMetric(100*r.Steady/at4.Steady, fmt.Sprintf("%dx-%%", multiple))
					b.ReportMetric(float64(r.LateP99), "late-ms") // the last one stays: that of 64x
					b.ReportMetric(r.cpu, "cpu-%")
				}
				b.ReportMetric(map[bool]float64{true: 1}[held], "held")
			}
		})
	}
}

// A run is one load on a server in a process of its own.
type run struct {
	lab.Summary
	cpu  float64 // of the server, in percent of one processor
	held bool    // the load was sent as it should be
}

func measure(b *testing.B, peer string, multiple int) run {
	server, err := lab.StartChild(b.Context(), "serve", "-addr=127.0.0.1:0", "-gate="+peer)
	require.NoError(b, err)
	load := lab.OpenLoop{Rate: float64(multiple * capacity), Duration: *duration, Patience: patience, HangUp: true}
	if testing.Short() {
		load.Duration /= 20
	}
	// Room for all that can be under way, and no more: without a bound, net/http dials
	// for each request that finds no idle connection, and a stall becomes a storm.
	connections := int(load.Rate * patience.Seconds())
	transport := &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections}
	target := &lab.Target{URL: server.URL + "/work", Client: &http.Client{Transport: transport}}
	start := time.Now()
	samples, err := load.Run(b.Context(), target.Send)
	took := time.Since(start)
	transport.CloseIdleConnections()
	server.Stop()
	require.NoError(b, err)

	s := lab.Summarize(fmt.Sprintf("%s %dx", peer, multiple), load, load.Duration/5, samples)
	b.Logf("\n%s", lab.SummaryTable(s))
	var examiner lab.Step
	examiner.Examine(s)
	examiner.Add("sent", true, "", "") // to hold, unless there is a doubt
	_, verdict := examiner.Results()
	return run{s, 100 * server.CPUTime().Seconds() / took.Seconds(), verdict != lab.Inconclusive}
}

// In virtual time, where refusals cost nothing, the gates serve the same.
func TestGatesServeTheSame(t *testing.T) {
	for _, peer := range peers {
		t.Run(peer, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limits := lab.Limits{Slots: 4, MaxWaiting: 40, MaxWait: 300 * time.Millisecond}
				gate, err := newGate(peer, limits, work(50070*time.Microsecond))
				require.NoError(t, err)
				load := lab.OpenLoop{Rate: 4 * capacity, Duration: 5 * time.Second, Patience: patience}
				samples, err := load.Run(t.Context(), func(ctx context.Context) error {
					w := httptest.NewRecorder()
					gate.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/work", nil))
					switch w.Code {
					case http.StatusOK:
						return nil
					case http.StatusServiceUnavailable, http.StatusTooManyRequests:
						return &lab.Overloaded{}
					}
					return &lab.StatusError{Status: w.Code}
				})
				require.NoError(t, err)
				s := lab.Summarize(peer, load, time.Second, samples)
				assert.InDelta(t, capacity, s.Steady, 1)
				assert.Equal(t, s.Offered, s.OK+s.Shed)
			})
		})
	}
}
