package generator

import (
	"net/http"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
)

// A stopwatch takes down when requests are handed to the transport. That is the same
// point for every peer, and the last one before the network and its bound on
// connections.
type stopwatch struct {
	next http.RoundTripper

	mu   sync.Mutex
	sent []time.Time // in order
}

func (s *stopwatch) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.sent = append(s.sent, time.Now())
	s.mu.Unlock()
	return s.next.RoundTrip(r)
}

// samples tell how late the sends were. The first send is held against the first due
// instant, whichever request it was, and so on.
func (s *stopwatch) samples(l load, by sending) []lab.Sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	samples := make([]lab.Sample, len(s.sent))
	for i, at := range s.sent {
		due := l.Due(i + by.firstDue)
		samples[i] = lab.Sample{Due: due, Late: at.Sub(by.start) - due, Outcome: lab.OK}
	}
	return samples
}
