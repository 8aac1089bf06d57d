// Package handler answers the requests that a service turns away.
package handler

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

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
	refusal, refused := errors.AsType[*lab.Overloaded](err)
	switch {
	case err == nil:
	case refused:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", strconv.Itoa(seconds(refusal.RetryAfter)))
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(w, `{"error":"overloaded","reason":%q}`+"\n", refusal.Reason)
	case errors.Is(err, context.Canceled):
		panic(http.ErrAbortHandler) // to return without a word would be a 200
	default:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// seconds is d in whole seconds, rounded up so that nobody comes back early. It is at
// least 1: a 0 would invite the client to come back at once.
func seconds(d time.Duration) int {
	return max(1, int((d+time.Second-1)/time.Second))
}
