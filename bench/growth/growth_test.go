package growth

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"example.com/sheddinglab/bench/process"
	"example.com/sheddinglab/lab"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A benchmark starts this program again, with these flags and for TestTrial alone: a
// bubble of virtual time needs a test, and a process of its own has memory of its own.
var (
	requests  = flag.Int("requests", 1000, "of the trial in TestTrial")
	unlimited = flag.Bool("unlimited", false, "do it without limits")
	report    = flag.Bool("report", false, "print what it took")
)

func BenchmarkProtected(b *testing.B) { grow(b, false, 1_000, 10_000, 100_000, 1_000_000) }
func BenchmarkUnlimited(b *testing.B) { grow(b, true, 1_000, 10_000, 100_000) }

func grow(b *testing.B, unlimited bool, sizes ...int) {
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint("peer=", n), func(b *testing.B) {
			for b.Loop() {
				var t took
				usage, err := process.Run(b.Context(), &t, "-test.run=^TestTrial$", "-report",
					fmt.Sprint("-requests=", n), fmt.Sprint("-unlimited=", unlimited))
				require.NoError(b, err)
				b.ReportMetric(t.Time.Seconds(), "s")
				b.ReportMetric(float64(t.Time.Microseconds())/float64(n), "us/request")
				b.ReportMetric(float64(usage.PeakMemory)/1e6, "MB")
				if unlimited {
					b.ReportMetric(float64(t.Memory)/float64(t.Waiting), "B/waiting")
				}
			}
		})
	}
}

// took is what a trial has taken.
type took struct {
	Time    time.Duration // on the wall clock
	Memory  int           // bytes in use at the last send, beyond those at the first
	Waiting int           // the longest line; without limits that is at the last send
}

func TestTrial(t *testing.T) {
	start := time.Now()
	s, m := trial(t, *requests, *unlimited)
	m.Time = time.Since(start)
	if *report {
		require.NoError(t, process.Report(os.Stdout, m))
	}
	assert.Equal(t, *requests, s.Offered)
	assert.Equal(t, s.Offered, s.OK+s.Shed+s.Timeout)
	if *unlimited {
		assert.Zero(t, s.Shed)
		assert.Greater(t, s.PeakLine, *requests/3)
	}
}

// trial is step 9's service at twice its capacity, for as long as it takes to send n
// requests.
func trial(t *testing.T, n int, unlimited bool) (s lab.Summary, m took) {
	const rate = 160
	limits := lab.Limits{Slots: 4, MaxWaiting: 40, MaxWait: 300 * time.Millisecond}
	if unlimited {
		limits.MaxWaiting, limits.MaxWait = lab.NoLimit, lab.NoLimit
	}
	load := lab.OpenLoop{Rate: rate, Duration: lab.Seconds(float64(n) / rate), Patience: time.Second}
	before := 0
	load.OnSend = func(i int) {
		switch i {
		case 0:
			before = inUse()
		case n - 1:
			m.Memory = inUse() - before
		}
	}
	synctest.Test(t, func(t *testing.T) {
		var err error
		s, err = lab.Trial{
			Policy:      "growth",
			Limits:      limits,
			Load:        load,
			WarmUp:      load.Duration / 10,
			ServiceTime: lab.Constant(50070 * time.Microsecond),
		}.Run(t.Context())
		require.NoError(t, err)
	})
	m.Waiting = s.PeakLine
	return s, m
}

// inUse is what is needed now: heap and stacks, without garbage.
func inUse() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}
