package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/sheddinglab/lab"
)

// greet sends single requests, one after the other. It learns their latency, and
// returns an error if there is nobody who could be swept.
func (s *urlSweep) greet(ctx context.Context) error {
	const single = 5
	var answered []time.Duration
	var last error
	refused := false
	for range single {
		took, err := s.single(ctx)
		if ctx.Err() != nil {
			return nil
		}
		_, shed := errors.AsType[*lab.Overloaded](err)
		refused = refused || shed
		if err == nil {
			answered = append(answered, took)
		} else if !shed {
			last = err
		}
	}
	switch {
	case len(answered) > 0:
		slices.Sort(answered)
		s.unloaded = answered[len(answered)/2]
		return nil
	case refused:
		s.step.Printf("Single requests, one after the other, are refused.")
		return nil
	}
	return lab.Usage(s.unusable(last))
}

// single sends one request and returns how long its answer took.
func (s *urlSweep) single(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, *s.patience)
	defer cancel()
	begin := time.Now()
	err := s.target().Send(ctx)
	return time.Since(begin), err
}

// unusable says what is wrong with a service that has answered no single request.
func (s *urlSweep) unusable(err error) error {
	u := s.url.Redacted()
	status, answered := errors.AsType[*lab.StatusError](err)
	switch {
	case answered && status.Status/100 == 3 && status.Location != "":
		return fmt.Errorf("-url %s answers %d and sends its clients to %s: redirects are not followed, so give that one",
			u, status.Status, status.Location)
	case answered:
		return fmt.Errorf("-url %s answers single requests with %d %s: there is nothing to sweep",
			u, status.Status, http.StatusText(status.Status))
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("-url %s does not answer single requests within -patience, which is %v", u, *s.patience)
	}
	kind := lab.KindOf(err)
	if detail, ok := errors.AsType[*url.Error](err); ok {
		err = detail.Err // without the URL once more
	}
	return fmt.Errorf("-url %s does not answer: %s (%w)", u, kind, err)
}

// measureCapacity has users who wait for their answers, twice as many from one
// round to the next, until that makes the rate no higher. It returns 0 and leaves
// a doubt if it cannot tell.
func (s *urlSweep) measureCapacity(ctx context.Context) (capacity float64, how string, err error) {
	const (
		grows    = 1.05 // less is not called growing
		maxUsers = 512
	)
	length := min(max(20*s.unloaded, 500*time.Millisecond), 10*time.Second)
	var users, rates []string
	best := 0
	for n := 1; ctx.Err() == nil; n *= 2 {
		samples, err := s.round(ctx, n, length)
		if err != nil {
			return 0, "", err
		}
		rate := lab.FinishRate(samples, length)
		users, rates = append(users, fmt.Sprint(n)), append(rates, fmt.Sprintf("%.1f", rate))
		grown := rate >= grows*capacity && rate > 0
		if rate > capacity {
			capacity, best = rate, n
		}
		if capacity >= 0.9**s.maxRate {
			s.step.Doubt("the capacity is near -max-rate, which is %g, or above it, and cannot be measured with it", *s.maxRate)
			return 0, "", nil
		}
		if !grown {
			break
		}
		if 2*n > maxUsers || 2*n > *s.connections {
			s.step.Doubt("the rate was still growing in the largest closed loop, of %d: the capacity may be higher, and -capacity can say so", n)
			break
		}
	}
	if ctx.Err() != nil {
		return 0, "", nil
	}
	s.step.Printf("Users in a closed loop: %s; answers per second: %s.", strings.Join(users, ", "), strings.Join(rates, ", "))
	if capacity == 0 {
		s.step.Doubt("nobody was answered in time, so there is no capacity to measure; -capacity can give one")
		return 0, "", nil
	}
	return capacity, fmt.Sprintf("measured with users in a closed loop: %d", best), s.greet(ctx) // it may have been cold at first
}

// round is one closed loop. Answers beyond the patience do not count.
func (s *urlSweep) round(ctx context.Context, users int, length time.Duration) ([]lab.Sample, error) {
	defer s.step.Progress(length)()
	samples, err := s.closedLoop(ctx, lab.ClosedLoop{
		URL: s.url.String(), Users: users, Duration: length, Patience: *s.patience,
		Method: s.method, Header: s.header, Body: s.body,
		MaxRate: *s.maxRate, DisableKeepAlives: !*s.keepAlive,
	})
	if *s.keepAlive {
		s.idle += users // hey leaves its connections for the service to close
	}
	return slices.DeleteFunc(samples, func(x lab.Sample) bool { return x.Latency >= *s.patience }), err
}

// drained waits until the service has finished with the last load: when single
// requests are answered about as fast as without one. It reports whether it came
// to that within -drain.
func (s *urlSweep) drained(ctx context.Context) bool {
	const (
		inARow = 3 // one alone may have been lucky
		pause  = 100 * time.Millisecond
	)
	if s.unloaded == 0 {
		return true // no request was ever answered: there is nothing to compare with
	}
	about := 2*s.unloaded + 10*time.Millisecond
	deadline := time.Now().Add(*s.drain)
	for quick := 0; quick < inARow; {
		took, err := s.single(ctx)
		if err == nil && took <= about {
			quick++
			continue
		}
		quick = 0
		if time.Now().After(deadline) || lab.PretendWork(ctx, pause) != nil {
			return false
		}
	}
	return true
}
