package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/internal/memnet"
	"example.com/sheddinglab/lab"
)

// Services for the tests, and the way to them on a network in memory.

// newDemo is the demo service with work of 50.07 ms.
func newDemo(limits lab.Limits) *lab.Service {
	return newService(limits, 50070*time.Microsecond)
}

// newService is the demo service with work that goes on when its client hangs up.
func newService(limits lab.Limits, serviceTime time.Duration) *lab.Service {
	c, err := lab.NewController(limits)
	if err != nil {
		panic(err)
	}
	return lab.NewService(c, func(ctx context.Context) error {
		return lab.PretendWork(context.WithoutCancel(ctx), serviceTime)
	})
}

var (
	protectedLimits = lab.Limits{Slots: 4, MaxWaiting: 40, MaxWait: 300 * time.Millisecond, RetryAfter: time.Second}
	noLimits        = lab.Limits{Slots: 4, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit}
)

// sweepIn returns the sweep at a service that start makes for each run. It counts its
// connections, unless that is nil.
func sweepIn(start func() http.Handler, connections *atomic.Int64) golden.Run {
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		memory := memnet.Listen()
		var busy atomic.Int64
		handler := start()
		server := lab.NewHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			busy.Add(1)
			defer busy.Add(-1)
			handler.ServeHTTP(w, r)
		}))
		server.ConnState = func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew && connections != nil {
				connections.Add(1)
			}
		}
		go server.Serve(memory)
		defer func() {
			server.Close()
			for time.Sleep(time.Second); busy.Load() > 0; { // time stands still when a bubble's test has returned
				time.Sleep(time.Second)
			}
		}()
		return sweepVia(ctx, append(args, "-url=http://localhost/work"), stdout, stderr, network{
			lookup: func(context.Context, string) ([]netip.Addr, error) {
				return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.IPv6Loopback()}, nil
			},
			dial:       memory.Dial,
			closedLoop: usersVia(memory.Dial),
		})
	}
}

// usersVia is a closed loop like that of hey, which knows no other network than
// the kernel's.
func usersVia(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, lab.ClosedLoop) ([]lab.Sample, error) {
	return func(ctx context.Context, l lab.ClosedLoop) ([]lab.Sample, error) {
		connections := &http.Transport{DialContext: dial, MaxIdleConnsPerHost: l.Users}
		defer connections.CloseIdleConnections()
		target := &lab.Target{URL: l.URL, Client: &http.Client{Transport: connections}, Method: l.Method, Header: l.Header, Body: l.Body}
		start := time.Now()
		var (
			users   sync.WaitGroup
			mu      sync.Mutex
			samples []lab.Sample
		)
		for range l.Users {
			users.Go(func() {
				tick := time.NewTicker(lab.Seconds(float64(l.Users) / l.MaxRate))
				defer tick.Stop()
				for time.Since(start) < l.Duration && ctx.Err() == nil {
					<-tick.C
					s := lab.Sample{Due: time.Since(start), Outcome: lab.Failed}
					err := target.Send(ctx)
					s.Latency = time.Since(start) - s.Due
					if err == nil {
						s.Outcome = lab.OK
					}
					mu.Lock()
					samples = append(samples, s)
					mu.Unlock()
				}
			})
		}
		users.Wait()
		return samples, nil
	}
}

func demo(limits lab.Limits) func() http.Handler {
	return func() http.Handler { return newDemo(limits) }
}

// deaf does not notice that a client hangs up: it has a lot to do after the load.
func deaf() http.Handler {
	service := newDemo(noLimits)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		service.ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context())))
	})
}

// always answers everything with a status, at once.
func always(status int) func() http.Handler {
	return func() http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status) })
	}
}
