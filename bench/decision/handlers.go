package decision

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"example.com/sheddinglab/lab"
)

// A middlewareMaker puts limits in front of a handler. It refuses with a 503 and
// Retry-After: 1.
type middlewareMaker struct {
	name string
	new  func(lab.Limits, http.Handler) http.Handler
}

// middlewares are those that are compared; chi's is the only well-known one with
// a bounded line.
var middlewares = []middlewareMaker{
	{"chi", func(l lab.Limits, next http.Handler) http.Handler {
		return middleware.ThrottleWithOpts(middleware.ThrottleOpts{
			Limit: l.Slots, BacklogLimit: l.MaxWaiting, BacklogTimeout: l.MaxWait,
			StatusCode:   http.StatusServiceUnavailable,
			RetryAfterFn: func(bool) time.Duration { return l.RetryAfter },
		})(next)
	}},
	{"lab", func(l lab.Limits, next http.Handler) http.Handler {
		return lab.Protect(must(lab.NewController(l)), next)
	}},
}
