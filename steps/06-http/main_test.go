package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/internal/memnet"
	"example.com/sheddinglab/lab"
)

// launchInMemory starts the same server, in this process and on a network in
// memory.
func launchInMemory(_ context.Context, args []string) (site, error) {
	_, handler, wrap, err := newServer(args, io.Discard, io.Discard)
	if err != nil {
		return site{}, err
	}
	network := memnet.Listen()
	listener := net.Listener(network)
	if wrap != nil {
		listener = wrap(listener)
	}
	server := lab.NewHTTPServer(handler)
	go server.Serve(listener)
	client := &http.Client{Transport: &http.Transport{DialContext: network.Dial, DisableKeepAlives: true}}
	stop := func() {
		server.Close()
		for !idle(handler) { // time stands still when a bubble's test has returned
			time.Sleep(time.Second)
		}
	}
	return site{"http://" + network.Addr().String(), client, stop}, nil
}

// idle reports whether the service has nothing left to do.
func idle(handler http.Handler) bool {
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest("GET", "/stats", nil))
	var stats lab.ServiceStats
	return json.Unmarshal(answer.Body.Bytes(), &stats) == nil && stats.Running == 0 && stats.Waiting == 0
}

func virtually(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return compare(ctx, args, stdout, stderr, launchInMemory)
}

func TestGolden(t *testing.T) {
	golden.Cases(t, virtually,
		golden.Case{Name: "holds", Args: golden.Measured},
		golden.Case{Name: "does-not-hold", Args: []string{"-service-time=50.07ms", "-slots=1", "-capacity=7"}, Want: lab.ErrDoesNotHold},
		golden.Case{Name: "cut-short", Args: []string{"-service-time=50.07ms", "-slots=1", "-capacity=19.97"}, Interrupt: 2500 * time.Millisecond, Want: lab.ErrInterrupted},
	)
}

// What is wasted when hang-ups are ignored, honoured in line, and honoured
// everywhere, as computed apart from this program.
func TestFigures(t *testing.T) {
	rows := golden.Rows(t, virtually, append(golden.Measured, "-duration=10s")...)
	assert.InDelta(t, 1447, rows[0].Wasted, 3)
	assert.InDelta(t, 727, rows[1].Wasted, 7)
	assert.InDelta(t, 0, rows[2].Wasted, 5)
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		capacity, err := lab.LoadCapacity(args[len(args)-1]) // what the step would measure, but for the network
		if err != nil {
			return err
		}
		// One slot does, and makes the test four times as fast.
		args = append(args, "-slots=1", fmt.Sprint("-capacity=", capacity.PerSecond/float64(capacity.Slots)))
		return virtually(ctx, args, stdout, stderr)
	}, "-service-time=50.07ms", "-duration=5s", "-client-timeout=1s", "-warm-up=1s",
		"-budget=500ms", "-max-wait=300ms")
}
