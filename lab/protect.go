package lab

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// An Admitter runs work if it may run, and otherwise returns an [*Overloaded]
// or the error of ctx. [*Controller] is one.
type Admitter interface {
	Do(ctx context.Context, work func() error) error
}

// Protect returns a handler that serves next through a. A request that is shed
// gets a 503 (Service Unavailable) with a Retry-After header and a JSON body
// that names the reason. Nothing is written for a client that has gone.
//
// Keep health checks outside of it: an overloaded service is busy, not dead,
// and must not be restarted for it.
func Protect(a Admitter, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := a.Do(r.Context(), func() error {
			next.ServeHTTP(w, r)
			return nil
		})
		if shed, ok := errors.AsType[*Overloaded](err); ok {
			h := w.Header()
			h.Set("Content-Type", "application/json")
			h.Set("Retry-After", strconv.Itoa(retryAfterSeconds(shed.RetryAfter)))
			w.WriteHeader(http.StatusServiceUnavailable)
			w.Write([]byte(`{"error":"overloaded","reason":"` + string(shed.Reason) + `"}` + "\n"))
		}
	})
}

// retryAfterSeconds is d as Retry-After has it (RFC 9110, section 10.2.3): whole
// seconds. It rounds up, so that nobody comes back early, and is at least 1: a 0
// invites the client to try again at once.
func retryAfterSeconds(d time.Duration) int {
	return max(1, int((d+time.Second-1)/time.Second))
}
