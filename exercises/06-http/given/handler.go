// Package handler answers the requests that a service turns away.
package handler

import (
	"net/http"

	"example.com/sheddinglab/lab"
)

// New returns a handler that serves GET /work through gate, and GET /health without
// it: a service that is overloaded is busy, and not dead.
func New(gate lab.Admitter, work http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /work", func(w http.ResponseWriter, r *http.Request) {
		err := gate.Do(r.Context(), func() error {
			work.ServeHTTP(w, r)
			return nil
		})
		answer(w, err)
	})
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("ok\n"))
	})
	return mux
}

// answer answers a request for which gate.Do returned err. If err is nil the work
// has answered it.
func answer(w http.ResponseWriter, err error) {
	if err == nil {
		return
	}
	// GAP: whatever the reason is, the client is told that the service is broken.
	http.Error(w, err.Error(), http.StatusInternalServerError)
}
