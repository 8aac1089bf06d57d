package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/internal/memnet"
	"example.com/sheddinglab/lab"
)

// launchInMemory starts the same server, in this process and on a network in memory.
func launchInMemory(_ context.Context, args []string, _ int) (site, error) {
	_, service, err := newServer(args, io.Discard, io.Discard)
	if err != nil {
		return site{}, err
	}
	network := memnet.Listen()
	server := lab.NewHTTPServer(service)
	go server.Serve(network)
	connections := &http.Transport{DialContext: network.Dial, MaxIdleConnsPerHost: 1000}
	return site{"http://" + network.Addr().String(), &http.Client{Transport: connections}, func() time.Duration {
		connections.CloseIdleConnections()
		server.Close()
		for s := service.Stats(); s.Running+s.Waiting > 0; s = service.Stats() {
			time.Sleep(time.Second) // time stands still when a bubble's test has returned
		}
		return 0
	}}, nil
}

func farInMemory(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return farFrom(ctx, append([]string{"-far"}, args...), stdout, stderr, launchInMemory)
}

func TestFar(t *testing.T) {
	golden.Cases(t, farInMemory,
		golden.Case{Name: "far-holds", Args: with("-up-to=16")},
		golden.Case{Name: "far-does-not-hold", Args: append([]string{"-service-time=50.07ms", "-capacity=100"}, "-up-to=16"), Want: lab.ErrDoesNotHold},
		golden.Case{Name: "far-not-covered", Args: with("-up-to=1", "-duration=2s"), Want: lab.ErrInconclusive},
		golden.Case{Name: "far-cut-short", Args: with(), Interrupt: 5555 * time.Millisecond, Want: lab.ErrInterrupted},
		golden.Case{Name: "far-cut-short-at-once", Args: with(), Interrupt: time.Nanosecond, Want: lab.ErrInterrupted},
	)
}

// Who is the bottleneck, and that nothing is said of the server when the generator is.
func TestBottleneck(t *testing.T) {
	set := &lab.Settings{Capacity: 80, Duration: time.Second}
	load := lab.OpenLoop{Rate: 160, Duration: time.Second, Patience: time.Second}
	for _, c := range []struct {
		name   string
		want   string
		sample func(i int, s *lab.Sample)
	}{
		{"half of it served", "", func(i int, s *lab.Sample) { s.Outcome = lab.OK + lab.Outcome(i%2) }},
		{"a third of it served", "server", func(i int, s *lab.Sample) { s.Outcome = lab.OK + lab.Outcome(min(1, i%3)) }},
		{"all failed", "server", func(i int, s *lab.Sample) { s.Outcome, s.Err = lab.Failed, io.ErrUnexpectedEOF }},
		{"all late", "generator", func(i int, s *lab.Sample) { s.Outcome, s.Late = lab.OK, 11*time.Millisecond }},
		{"more and more late", "generator", func(i int, s *lab.Sample) { s.Outcome, s.Late = lab.OK, s.Due/10 }},
		{"one without a socket", "generator", func(i int, s *lab.Sample) {
			if s.Outcome = lab.OK; i == 7 {
				s.Outcome, s.Err = lab.Failed, syscall.EMFILE
			}
		}},
		{"cut short", "", func(i int, s *lab.Sample) {
			if s.Outcome = lab.OK; i > 7 {
				s.Outcome = lab.NotSent
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			samples := make([]lab.Sample, load.Count())
			for i := range samples {
				samples[i].Due = load.Due(i)
				c.sample(i, &samples[i])
			}
			r := newFarRow(load, set, samples)
			assert.Equal(t, c.want, r.BoundBy)
			for _, empty := range []bool{r.Goodput == nil, r.Refused == nil, r.NoAnswer == nil} {
				assert.Equal(t, c.want == "generator", empty)
			}
		})
	}
}

// A server that does not start is no row.
func TestFarWithoutServer(t *testing.T) {
	broken := errors.New("no such program")
	_, err := golden.Step(t, func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		return farFrom(ctx, args, stdout, stderr, func(context.Context, []string, int) (site, error) { return site{}, broken })
	}, 0, golden.Measured...)
	require.ErrorIs(t, err, broken)
}
