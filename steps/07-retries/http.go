package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"example.com/sheddinglab/lab"
)

// overHTTP starts an HTTP server for s on a free port of the loopback interface.
// The attempts of all users go through one client, which retries politely if retry
// is set. Call stop when the load is over: it leaves nothing behind.
func (s *service) overHTTP(retry *lab.Retry, attemptTimeout time.Duration, random func() float64) (attemptOf func(user int) send, stop func() error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	// The time limit of one attempt is here. The one of a http.Client, like the
	// context of a request, spans all attempts of a RetryTransport.
	connections := &http.Transport{MaxIdleConnsPerHost: 1000, ResponseHeaderTimeout: attemptTimeout}
	client := &http.Client{Transport: connections}
	if retry != nil {
		polite := *retry
		polite.Random = random
		client.Transport = &lab.RetryTransport{Base: connections, Retry: polite}
	}
	attemptOf = func(user int) send {
		target := lab.Target{URL: fmt.Sprintf("http://%s/users/%d", listener.Addr(), user), Client: client}
		return target.Send
	}
	return attemptOf, func() error {
		connections.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		err := server.Shutdown(ctx)
		if served := <-served; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return errors.Join(err, server.Close())
	}, nil
}

// handler does the work of s for GET /users/{user}.
func (s *service) handler() http.Handler {
	work := lab.Protect(s.controller, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.work(r.Context()) // its error is that the client has gone
	}))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users/{user}", func(w http.ResponseWriter, r *http.Request) {
		user, err := strconv.Atoi(r.PathValue("user"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		s.arrive(user)
		work.ServeHTTP(w, r)
	})
	return mux
}
