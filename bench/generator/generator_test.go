package generator

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"example.com/sheddinglab/bench/process"
	"example.com/sheddinglab/lab"
)

var duration = flag.Duration("duration", 2*time.Second, "of one load; with -short it is a twentieth of this")

// TestMain is also the main function of the processes that the benchmarks start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		lab.Main(func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			return serve(ctx, args[1:], stdout, stderr)
		})
	}
	if len(os.Args) > 1 && os.Args[1] == "send" {
		lab.Main(func(_ context.Context, args []string, stdout, _ io.Writer) error {
			return send(args[1], stdout)
		})
	}
	goleak.VerifyTestMain(m)
}

func BenchmarkCall100(b *testing.B)   { call(b, 100) }
func BenchmarkCall1000(b *testing.B)  { call(b, 1000) }
func BenchmarkCall5000(b *testing.B)  { call(b, 5000) }
func BenchmarkCall10000(b *testing.B) { call(b, 10000) }
func BenchmarkCall20000(b *testing.B) { call(b, 20000) }

func BenchmarkHTTP100(b *testing.B)   { overHTTP(b, 100) }
func BenchmarkHTTP1000(b *testing.B)  { overHTTP(b, 1000) }
func BenchmarkHTTP5000(b *testing.B)  { overHTTP(b, 5000) }
func BenchmarkHTTP10000(b *testing.B) { overHTTP(b, 10000) }
func BenchmarkHTTP20000(b *testing.B) { overHTTP(b, 20000) }

// call is a load on a target in the process: what the generator itself can do.
func call(b *testing.B, rate int) {
	for _, peer := range []string{"lab", "vegeta", "sleep"} {
		b.Run("peer="+peer, func(b *testing.B) {
			for b.Loop() {
				m := measure(b, job{Peer: peer, Rate: rate, Duration: length()})
				m.report(b, rate)
			}
		})
	}
}

// overHTTP is a load on a server in a process of its own, which shares the
// processors with the generator. The loop that sleeps is no better at it.
func overHTTP(b *testing.B, rate int) {
	for _, peer := range []string{"lab", "vegeta"} {
		b.Run("peer="+peer, func(b *testing.B) {
			for b.Loop() {
				server, err := lab.StartChild(b.Context(), "serve", "-addr=127.0.0.1:0", fmt.Sprint("-window=", length()))
				require.NoError(b, err)
				m := measure(b, job{Peer: peer, Rate: rate, Duration: length(), URL: server.URL})
				m.Arrived, err = arrived(server.URL)
				server.Stop()
				require.NoError(b, err)
				m.report(b, rate)
			}
		})
	}
}

func length() time.Duration {
	if testing.Short() {
		return *duration / 20
	}
	return *duration
}

type measured struct {
	result
	process.Usage
}

func measure(b *testing.B, j job) (m measured) {
	text, err := json.Marshal(j)
	require.NoError(b, err)
	m.Usage, err = process.Run(b.Context(), &m.result, "send", string(text))
	require.NoError(b, err)
	return m
}

// report leaves nothing to the time of the benchmark, which is that of the load.
func (m measured) report(b *testing.B, rate int) {
	sent := 100 * float64(m.Arrived) / (float64(rate) * length().Seconds())
	b.ReportMetric(sent, "sent-%")
	b.ReportMetric(m.P50, "p50-ms")
	b.ReportMetric(m.P99, "p99-ms")
	b.ReportMetric(m.Max, "max-ms")
	b.ReportMetric(m.CPU.Seconds(), "cpu-s")
	b.ReportMetric(float64(m.PeakMemory)/1e6, "MB")
	b.ReportMetric(oneIf(m.Held), "held")
	b.ReportMetric(oneIf(m.Held && sent < 99), "unmarked")
}

func oneIf(x bool) float64 {
	if x {
		return 1
	}
	return 0
}

// In virtual time nothing is late: each peer sends the same requests to the same
// target, and is measured against the schedule that it has. Vegeta also sends the one
// that is due at the very end.
func TestPeersSendTheSame(t *testing.T) {
	for peer, want := range map[string]int{"lab": 100, "vegeta": 101, "sleep": 100} {
		t.Run(peer, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, err := job{Peer: peer, Rate: 100, Duration: time.Second}.do()
				require.NoError(t, err)
				assert.Equal(t, result{Arrived: want, Held: true}, r)
			})
		})
	}
}

// A generator that is late is marked, and only requests that come in time count.
func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		peers["slow"] = func(l load) (sending, error) {
			l.Rate /= 2
			return sleepLoop(l)
		}
		defer delete(peers, "slow")
		r, err := job{Peer: "slow", Rate: 100, Duration: time.Second}.do()
		require.NoError(t, err)
		// The second request is 10 ms late, the third 20 ms, and so on.
		assert.Equal(t, result{Arrived: 50, P50: 240, P99: 490, Max: 490, Held: false}, r)
	})
}
