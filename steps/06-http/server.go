package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"example.com/sheddinglab/lab"
)

// serve is the server: the demo service behind one of three guards.
func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, handler, wrap, err := newServer(args, stdout, stderr)
	if err != nil {
		return err
	}
	return s.Serve(ctx, handler, wrap)
}

// newServer reads the settings, and returns the handler and what to put around
// the listener.
func newServer(args []string, stdout, stderr io.Writer) (*lab.Server, http.Handler, func(net.Listener) net.Listener, error) {
	s := lab.NewServer("06-http serve: the demo service, with /work, /health and /stats")
	guard := s.Choice("guard", "what stands before the work", "controller", "limit-listener", "timeout-handler")
	timeout := s.Duration("timeout", 350*time.Millisecond, "of the timeout-handler")
	hangUp := s.Choice("hang-up", "when the client hangs up: leave the line, stop the work too, or ignore it", "leave", "stop", "ignore")
	if err := s.Parse(args, stdout); err != nil {
		return nil, nil, nil, err
	}
	service, err := s.Service(func(ctx context.Context) error {
		if *hangUp != "stop" {
			ctx = context.WithoutCancel(ctx)
		}
		return lab.PretendWork(ctx, s.ServiceTime)
	}, stderr)
	if err != nil {
		return nil, nil, nil, err
	}

	var work http.Handler = service
	if *hangUp == "ignore" {
		work = deaf(work)
	}
	if *guard == "timeout-handler" {
		work = http.TimeoutHandler(work, *timeout, "")
	}
	mux := http.NewServeMux()
	mux.Handle("/", service)
	mux.Handle("GET /work", work)

	var wrap func(net.Listener) net.Listener
	if *guard == "limit-listener" {
		wrap = func(l net.Listener) net.Listener { return netutil.LimitListener(l, s.Limits.Slots) }
	}
	return s, mux, wrap, nil
}

// deaf keeps from next that a client has hung up.
func deaf(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context())))
	})
}
