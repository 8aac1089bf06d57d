package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"example.com/sheddinglab/lab"
)

// serve is the server of -far: the demo service, whose work goes on when its client
// has hung up.
func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, service, err := newServer(args, stdout, stderr)
	if err != nil {
		return err
	}
	return s.Serve(ctx, service, nil)
}

func newServer(args []string, stdout, stderr io.Writer) (*lab.Server, *lab.Service, error) {
	s := lab.NewServer("09-sweep serve: the demo service, with /work, /health and /stats")
	if err := s.Parse(args, stdout); err != nil {
		return nil, nil, err
	}
	service, err := s.Service(func(ctx context.Context) error {
		return lab.PretendWork(context.WithoutCancel(ctx), s.ServiceTime)
	}, stderr)
	return s, service, err
}

// A site is a running server and the way to reach it.
type site struct {
	url    string
	client *http.Client
	stop   func() (cpu time.Duration) // that the server has used, or 0 if that is not known
}

// A launcher starts a server with the settings in args, and bounds the connections
// to it.
type launcher func(ctx context.Context, args []string, connections int) (site, error)

// launchChild starts it as a process, on a port that the system chooses.
func launchChild(ctx context.Context, args []string, connections int) (site, error) {
	child, err := lab.StartChild(ctx, append([]string{"serve", "-addr=127.0.0.1:0"}, args...)...)
	if err != nil {
		return site{}, err
	}
	// All of them are kept when they are idle, and not two, which is the default. The
	// bound keeps a short stall from becoming a storm: every request that finds none
	// idle would dial, and ten thousand dials are a longer stall.
	transport := &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections}
	return site{child.URL, &http.Client{Transport: transport}, func() time.Duration {
		transport.CloseIdleConnections()
		child.Stop()
		return child.CPUTime()
	}}, nil
}
