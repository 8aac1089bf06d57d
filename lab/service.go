package lab

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
)

// A Gatekeeper admits requests and counts them. [*Controller] is one.
type Gatekeeper interface {
	Admitter
	Stats() Stats
}

// A Service is the demo service:
//
//   - GET /work does the work, if the gatekeeper lets the request in.
//   - GET /health answers 200 as long as the process lives, and never waits.
//   - GET /stats answers with [ServiceStats] as JSON, and never waits.
//
// It is an [http.Handler]. Make one with [NewService].
type Service struct {
	gate Gatekeeper
	work func(ctx context.Context) error
	done atomic.Int64
	mux  *http.ServeMux
}

// ServiceStats are the counters of a service. WorkDone counts finished work,
// whether or not its client was still there.
type ServiceStats struct {
	WorkDone int `json:"work_done"`
	Stats
	*DeadlineStats                            // of a gatekeeper that has them, or nil
	*AdaptiveStats                            // the same
	Classes        map[Criticality]ClassStats `json:"classes,omitempty"` // of a gatekeeper that has them
}

// NewService returns a service that does work for every admitted request. The
// work's error means that it was not finished. The options are those of [Protect].
func NewService(gate Gatekeeper, work func(ctx context.Context) error, options ...Option) *Service {
	s := &Service{gate: gate, work: work, mux: http.NewServeMux()}
	s.mux.Handle("GET /work", Protect(gate, http.HandlerFunc(s.ServeWork), options...))
	s.mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "ok\n")
	})
	s.mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s.Stats())
	})
	return s
}

func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// ServeWork is /work without the gatekeeper.
func (s *Service) ServeWork(w http.ResponseWriter, r *http.Request) {
	if s.work(r.Context()) != nil {
		return // its client has gone
	}
	s.done.Add(1)
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"result":"done"}`+"\n")
}

// Stats returns the counters as they are now.
func (s *Service) Stats() ServiceStats {
	return ServiceStats{
		WorkDone:      int(s.done.Load()),
		Stats:         s.gate.Stats(),
		DeadlineStats: deadlineStatsOf(s.gate),
		AdaptiveStats: adaptiveStatsOf(s.gate),
		Classes:       classesOf(s.gate),
	}
}
