package goodput

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/go-chi/chi/v5/middleware"

	"example.com/sheddinglab/lab"
)

var peers = []string{"lab", "chi", "failsafe"}

// newGate returns the gate of a peer in front of next.
func newGate(peer string, l lab.Limits, next http.Handler) (http.Handler, error) {
	switch peer {
	case "chi":
		return middleware.ThrottleBacklog(l.Slots, l.MaxWaiting, l.MaxWait)(next), nil
	case "failsafe": // a bulkhead bounds the wait, and not the length of the line
		b := bulkhead.NewBuilder[*http.Response](uint(l.Slots)).WithMaxWaitTime(l.MaxWait).Build()
		return failsafehttp.NewHandler(next, b), nil
	}
	c, err := lab.NewController(l)
	return lab.Protect(c, next), err
}

// work pretends to, whether or not its client waits for it.
func work(d time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lab.PretendWork(context.WithoutCancel(r.Context()), d)
		io.WriteString(w, "done\n")
	})
}

// serve is the process of a server: the same work behind one of the gates. Limits and
// service time are the defaults of [lab.NewServer].
func serve(ctx context.Context, args []string, stdout, _ io.Writer) error {
	s := lab.NewServer("the same work behind one of the gates")
	peer := s.Choice("gate", "what is in front of the work", peers...)
	if err := s.Parse(args, stdout); err != nil {
		return err
	}
	gate, err := newGate(*peer, s.Limits, work(s.ServiceTime))
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/work", gate)
	return s.Serve(ctx, mux, nil)
}
