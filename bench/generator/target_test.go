package generator

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/sheddinglab/lab"
)

// arrivals is a target that does nothing but count what it gets in time: within
// the duration of the load, counted from the first request. It is the witness: what
// a generator says of itself is one thing, and what arrives is another.
type arrivals struct {
	window time.Duration
	first  atomic.Int64 // nanoseconds since 1970
	n      atomic.Int64
}

// slack is how much later than the load's duration a request still counts.
const slack = 20 * time.Millisecond

func (a *arrivals) note() {
	now := time.Now().UnixNano()
	a.first.CompareAndSwap(0, now)
	if now-a.first.Load() < int64(a.window+slack) {
		a.n.Add(1)
	}
}

// RoundTrip makes it a target in this process.
func (a *arrivals) RoundTrip(r *http.Request) (*http.Response, error) {
	a.note()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// ServeHTTP makes it one over HTTP. /arrived tells how many there were.
func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/work":
		a.note()
	case "/arrived":
		fmt.Fprint(w, a.n.Load())
	}
}

// serve is a process with such a target.
func serve(ctx context.Context, args []string, stdout, _ io.Writer) error {
	s := lab.NewServer("a server that counts what arrives")
	window := s.Duration("window", time.Second, "how long to count, from the first request on")
	if err := s.Parse(args, stdout); err != nil {
		return err
	}
	return s.Serve(ctx, &arrivals{window: *window}, nil)
}

// arrived asks such a process.
func arrived(url string) (n int, err error) {
	answer, err := http.Get(url + "/arrived")
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = fmt.Fscan(answer.Body, &n)
	return n, err
}
