package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
)

// A site is a running server and the way to reach it.
type site struct {
	url    string
	client *http.Client
	stop   func()
}

// A launcher starts a server with the settings in args.
type launcher func(ctx context.Context, args []string) (site, error)

// launchChild starts it as a process, on a port that the system chooses. Every
// request is a connection of its own, as from so many clients.
func launchChild(ctx context.Context, args []string) (site, error) {
	child, err := lab.StartChild(ctx, append([]string{"serve", "-addr=127.0.0.1:0"}, args...)...)
	if err != nil {
		return site{}, err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return site{child.URL, client, child.Stop}, nil
}

// measure returns the requests per second that a server finishes when it is kept
// busy, counted like the honest rate in step 1.
func measure(ctx context.Context, launch launcher, args []string) (float64, error) {
	s, err := launch(ctx, args)
	if err != nil {
		return 0, err
	}
	defer s.stop()
	load := lab.ClosedLoop{URL: s.url + "/work", Users: 16, Duration: 3 * time.Second, Patience: 10 * time.Second}
	samples, err := load.Run(ctx)
	if err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, lab.ErrInterrupted
	}
	rate := lab.FinishRate(samples, load.Duration)
	if rate == 0 {
		return 0, fmt.Errorf("no request was finished in %v: no capacity to measure", load.Duration)
	}
	return rate, nil
}

// try sends the load to a fresh server, asks for its health meanwhile, and takes
// its counters when it has finished what it began.
func try(ctx context.Context, launch launcher, policy string, args []string, multiple float64, set *lab.Settings) (row, error) {
	load := lab.OpenLoop{Rate: multiple * set.Capacity, Duration: set.Duration, Patience: set.ClientTimeout, HangUp: true}
	probe := load
	probe.Rate = max(10, 1/set.Duration.Seconds())
	if err := errors.Join(load.Validate(), probe.Validate()); err != nil {
		return row{}, lab.Usage(err)
	}
	s, err := launch(ctx, args)
	if err != nil {
		return row{}, fmt.Errorf("%s: %w", policy, err)
	}
	defer s.stop()
	work := &lab.Target{URL: s.url + "/work", Client: s.client}
	health := &lab.Target{URL: s.url + "/health", Client: s.client}
	var samples, probes []lab.Sample
	var loadErr, probeErr error
	var wg sync.WaitGroup
	wg.Go(func() { samples, loadErr = load.Run(ctx, work.Send) })
	wg.Go(func() { probes, probeErr = probe.Run(ctx, health.Send) })
	wg.Wait()
	if loadErr != nil {
		return row{}, loadErr
	}
	if probeErr != nil {
		return row{}, probeErr
	}
	r := row{Summary: lab.Summarize(policy, load, set.WarmUp, samples), Refusal: work.FirstRefusal()}
	for _, x := range probes {
		if x.Outcome == lab.Failed { // a quick failure is no quick answer
			x.Latency = set.ClientTimeout
		}
		r.Health = max(r.Health, lab.ToMillis(x.Latency))
	}
	stats, err := atRest(ctx, s)
	if err == nil {
		r.Work, r.Wasted, r.PeakLine = stats.WorkDone, stats.WorkDone-r.OK, stats.PeakLine
	} else if ctx.Err() == nil {
		return row{}, fmt.Errorf("%s: %w", policy, err)
	}
	return r, nil
}

// atRest returns the counters of a server when it has nothing left to do, or
// those of now if ctx ends.
func atRest(ctx context.Context, s site) (lab.ServiceStats, error) {
	patient, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		stats, err := getStats(patient, s)
		if ctx.Err() != nil {
			break
		}
		if err != nil || stats.Running == 0 && stats.Waiting == 0 {
			return stats, err
		}
		lab.PretendWork(patient, 50*time.Millisecond) // or its end, which getStats reports
	}
	hurried, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return getStats(hurried, s)
}

func getStats(ctx context.Context, s site) (stats lab.ServiceStats, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/stats", nil)
	if err != nil {
		return stats, err
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return stats, err
	}
	defer answer.Body.Close()
	err = json.NewDecoder(answer.Body).Decode(&stats)
	return stats, err
}
