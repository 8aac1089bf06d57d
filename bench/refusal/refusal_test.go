package refusal

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// The load: so many users ask, one request after the other, for so long.
const (
	users    = 16
	duration = time.Second
)

// hey as a library, in this process.
func BenchmarkHey(b *testing.B) {
	each(b, func(b *testing.B, url string) (answers int) {
		samples, err := lab.ClosedLoop{URL: url, Users: users, Duration: duration, Patience: 5 * time.Second}.Run(b.Context())
		require.NoError(b, err)
		for _, s := range samples {
			if s.Outcome != lab.Shed {
				b.Fatalf("one of %d requests was not refused: %v", len(samples), s.Err)
			}
		}
		return len(samples)
	})
}

// wrk, which takes less of the processors itself.
func BenchmarkWrk(b *testing.B) {
	wrk, err := exec.LookPath("wrk")
	if err != nil {
		b.Skip("wrk is not installed")
	}
	each(b, func(b *testing.B, url string) (answers int) {
		output, err := exec.CommandContext(b.Context(), wrk, "-t1", fmt.Sprintf("-c%d", users), fmt.Sprintf("-d%v", duration), url).CombinedOutput()
		require.NoError(b, err, "%s", output)
		answers, refused := count(wrkAnswers, output), count(wrkRefused, output)
		if answers == 0 || answers != refused {
			b.Fatalf("%d of %d requests were refused, want all:\n%s", refused, answers, output)
		}
		return answers
	})
}

var (
	wrkAnswers = regexp.MustCompile(`(\d+) requests in`)
	wrkRefused = regexp.MustCompile(`Non-2xx or 3xx responses: (\d+)`)
)

func count(pattern *regexp.Regexp, output []byte) int {
	found := pattern.FindSubmatch(output)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(found[1])) // digits, and few
	return n
}

// each runs a benchmark for each refuser, with its one slot taken. One operation
// is one load.
func each(b *testing.B, load func(b *testing.B, url string) (answers int)) {
	for _, r := range refusers {
		b.Run("peer="+r.name, func(b *testing.B) {
			url := busyServer(b, r)
			answers := 0
			before := cpuTime()
			for b.Loop() {
				answers += load(b, url)
			}
			if used := cpuTime() - before; used > 0 {
				b.ReportMetric(float64(used.Microseconds())/float64(answers), "cpu-us/req")
			}
			b.ReportMetric(float64(answers)/float64(b.N)/duration.Seconds(), "req/s")
		})
	}
}

// busyServer starts a server whose one slot is taken until the test ends.
func busyServer(tb testing.TB, r refuser) (url string) {
	began, end := make(chan struct{}), make(chan struct{})
	h := r.wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(began)
		<-end
	}))
	var holder sync.WaitGroup
	if r.name != "bare" { // which has no slot
		holder.Go(func() { h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)) })
		<-began
	}
	server := httptest.NewServer(h)
	tb.Cleanup(func() {
		server.Close()
		close(end)
		holder.Wait()
	})
	return server.URL
}

// Everybody refuses with the same status and headers, and the bare handler and the
// lab with the same bytes.
func TestRefusersSayTheSame(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	bodies := make(map[string]string)
	for _, r := range refusers {
		request, err := http.NewRequestWithContext(context.Background(), "GET", busyServer(t, r), nil)
		require.NoError(t, err)
		answer, err := client.Do(request)
		require.NoError(t, err)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, http.StatusServiceUnavailable, answer.StatusCode, r.name)
		assert.Equal(t, []string{"1"}, answer.Header.Values("Retry-After"), r.name)
		if r.name != "chi" { // its text is its own
			assert.Equal(t, "application/json", answer.Header.Get("Content-Type"), r.name)
		}
		bodies[r.name] = string(body)
	}
	assert.Equal(t, bodies["bare"], bodies["lab"])
	assert.NotEmpty(t, bodies["chi"])
}

func TestReportOfWrk(t *testing.T) {
	output := []byte(`Running 1s test @ http://127.0.0.1:1/
  1 threads and 16 connections
  41222 requests in 1.10s, 6.25MB read
  Non-2xx or 3xx responses: 41221
Requests/sec:  37476.51
`)
	assert.Equal(t, 41222, count(wrkAnswers, output))
	assert.Equal(t, 41221, count(wrkRefused, output))
	assert.Zero(t, count(wrkRefused, []byte("unable to connect")))
}
