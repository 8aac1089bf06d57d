package lab

import (
	"io"
	"net/http"
)

// NewService returns the demo service: GET /work does the work if a lets it in,
// GET /health answers 200 as long as the process lives, and never waits.
func NewService(a Admitter, work http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /work", Protect(a, work))
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "ok\n")
	})
	return mux
}
