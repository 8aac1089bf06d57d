package refusal

import (
	"io"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"example.com/sheddinglab/lab"
)

// A refuser is a middleware with one slot and no line. It refuses with a 503 and
// Retry-After: 1.
type refuser struct {
	name string
	wrap func(next http.Handler) http.Handler
}

var refusers = []refuser{
	{"bare", func(http.Handler) http.Handler { return http.HandlerFunc(bare) }},
	{"lab", func(next http.Handler) http.Handler {
		c, err := lab.NewController(lab.Limits{Slots: 1, RetryAfter: time.Second})
		if err != nil {
			panic(err)
		}
		return lab.Protect(c, next)
	}},
	{"chi", middleware.ThrottleWithOpts(middleware.ThrottleOpts{
		Limit:        1,
		StatusCode:   http.StatusServiceUnavailable,
		RetryAfterFn: func(bool) time.Duration { return time.Second },
	})},
}

// bare writes what lab.Protect writes, and decides nothing.
func bare(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	io.WriteString(w, `{"error":"overloaded","reason":"line_full"}`+"\n")
}
