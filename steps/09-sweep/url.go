package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"example.com/sheddinglab/lab"
)

// sweepURL is the sweep at a service of the reader's own: at a URL, or after the
// fact, in what vegeta has written down.
func sweepURL(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	from := given(args, "from")
	if given(args, "h") || given(args, "help") {
		args = []string{"-h"} // -url -h has no URL
	}
	if from {
		return sweepFiles(args, stdout, stderr)
	}
	return sweepVia(ctx, args, stdout, stderr, network{
		lookup: func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		},
		dial:       new(net.Dialer).DialContext,
		closedLoop: func(ctx context.Context, l lab.ClosedLoop) ([]lab.Sample, error) { return l.Run(ctx) },
	})
}

// A network is the way to a service. Tests have one in memory.
type network struct {
	lookup     func(ctx context.Context, host string) ([]netip.Addr, error)
	dial       func(ctx context.Context, network, address string) (net.Conn, error)
	closedLoop func(ctx context.Context, l lab.ClosedLoop) ([]lab.Sample, error)
}

// A urlSweep is one sweep at one URL.
type urlSweep struct {
	*urlOptions
	step       *lab.Step
	client     *http.Client
	closedLoop func(ctx context.Context, l lab.ClosedLoop) ([]lab.Sample, error)

	unloaded time.Duration // latency of a single request; 0 if none was answered yet
	idle     int           // connections that the closed loops have left behind
}

func sweepVia(ctx context.Context, args []string, stdout, stderr io.Writer, n network) error {
	step := lab.NewStep(9, "sweep", "what does the service at this URL do with more than it can serve?")
	step.Mode("url")
	o := newURLOptions(step)
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	if err := o.check(ctx, n.lookup); err != nil {
		return lab.Usage(err)
	}
	s := &urlSweep{urlOptions: o, step: step, client: o.newClient(n.dial), closedLoop: n.closedLoop}
	defer s.client.CloseIdleConnections()

	if err := s.greet(ctx); err != nil {
		return err
	}
	capacity, how := *o.capacity, "as given with -capacity"
	if capacity == 0 && ctx.Err() == nil {
		var err error
		capacity, how, err = s.measureCapacity(ctx)
		if err != nil {
			return err
		}
	}
	if capacity == 0 || ctx.Err() != nil {
		return step.End(ctx, "")
	}
	rows, leftOut, err := s.sendAll(ctx, capacity)
	if err != nil {
		return err
	}
	for _, r := range rows {
		step.Row(r)
	}
	if *o.csv {
		if err := writeCSV(stdout, rows); err != nil {
			return err
		}
	}
	printRows(step, rows)
	if len(rows) > 0 {
		step.Printf("%s", lateness(rows))
	}
	return step.End(ctx, conclude(step, swept{capacity, how, rows, leftOut, ctx.Err() == nil}))
}

// newClient returns a client that keeps as many connections as it needs, and that
// goes nowhere but to the URL: by no proxy, and after no redirect. One request may
// still arrive twice: net/http repeats a GET whose kept connection was closed before
// an answer began.
func (o *urlOptions) newClient(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:         dial,
			MaxConnsPerHost:     *o.connections,
			MaxIdleConnsPerHost: *o.connections,
			IdleConnTimeout:     time.Minute,
			DisableKeepAlives:   !*o.keepAlive,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// target is what one load is sent to. It has its own counters, and the sweep's
// connections.
func (s *urlSweep) target() *lab.Target {
	return &lab.Target{URL: s.url.String(), Client: s.client, Method: s.method, Header: s.header, Body: s.body}
}

// A urlRow is one load and what came of it. Everything in it leaves out the
// warm-up.
type urlRow struct {
	Multiple float64 `json:"multiple"` // of the capacity
	Rate     float64 `json:"rate_rps"` // as asked
	lab.Summary
	lab.Failures
	Refusal *lab.Refusal `json:"refusal"` // the first one, as its client saw it

	// What nobody but the service knows is null.
	Work       *int     `json:"work"`
	Wasted     *int     `json:"wasted"`
	PeakLine   *int     `json:"peak_line"`
	WorkSlower *float64 `json:"work_slower"`
}

func (r urlRow) load() string { return fmt.Sprintf("%.3gx", r.Multiple) }

func (r urlRow) point() lab.Point { return lab.Point{Offered: r.Rate, Goodput: r.Goodput} }
