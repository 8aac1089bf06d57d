package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"example.com/sheddinglab/lab"
)

// An experiment is one service, and users who come to it whatever becomes of the
// earlier ones. Each run of it has a service to itself.
type experiment struct {
	limits         lab.Limits
	serviceTime    time.Duration
	attemptTimeout time.Duration
	load           lab.OpenLoop // of users, not attempts
	warmUp         time.Duration
	seed           uint64
	overHTTP       bool
}

// A send is one attempt, or all attempts of one user.
type send func(context.Context) error

// window is when the users that count are due: while the load is steady for all
// of their patience, under every policy. Before it, the line fills, and then the
// retries, up to a patience old, come to their full number; whoever is due earlier
// has less competition. After it, users would still be retrying when nobody new
// comes any more, the service catches up, and everybody is served at last. Both
// are gifts to those who retry, and say nothing about an overload.
func (e experiment) window() (from, to time.Duration) {
	return e.warmUp + e.load.Patience, e.load.Duration - e.load.Patience
}

// run sends the users of one policy, and counts them.
func (e experiment) run(ctx context.Context, p policy) (row, lab.Summary, error) {
	s, err := newService(e.limits, e.serviceTime)
	if err != nil {
		return row{}, lab.Summary{}, err
	}
	attemptOf := func(user int) send {
		return func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, e.attemptTimeout)
			defer cancel()
			return s.do(ctx, user)
		}
	}
	stop := func() error { return nil }
	if e.overHTTP {
		if attemptOf, stop, err = s.overHTTP(p.retry, e.attemptTimeout, lab.Seeded(e.seed, 0)); err != nil {
			return row{}, lab.Summary{}, err
		}
		p = policy{name: p.name, tries: max(1, p.tries)} // a polite client retries by itself
	}
	var users atomic.Int64
	samples, err := e.load.Run(ctx, func(ctx context.Context) error {
		// Users are numbered as they start. Two that a busy machine starts in the
		// wrong order have each other's number, which changes no sum.
		user := int(users.Add(1) - 1)
		return p.ask(ctx, attemptOf(user), lab.Seeded(e.seed, uint64(user)))
	})
	if err != nil {
		err = lab.Usage(err) // a bad load
	}
	if err := errors.Join(err, stop()); err != nil {
		return row{}, lab.Summary{}, err
	}
	run := lab.Summarize(p.name, e.load, e.warmUp, samples)
	run.WorkSlower = s.workSlower()
	if c := s.controller.Stats(); c.Arrived != len(s.arrivals) || c.Running+c.Waiting != 0 {
		return row{}, run, fmt.Errorf("%q: the sums do not add up: %d attempts, the controller counts %+v", p.name, len(s.arrivals), c)
	}
	return e.count(run, samples, s.arrivals), run, nil
}

// A row is what became of the users of one policy.
type row struct {
	Policy    string  `json:"policy"`
	Users     int     `json:"users"`    // due in the window, like all up to ServedPct
	Attempts  int     `json:"attempts"` // of these users
	PerUser   float64 `json:"attempts_per_user"`
	Served    int     `json:"served"`
	ServedPct float64 `json:"served_percent"`

	DoorRate float64 `json:"door_rps"`      // attempts per second, from the window on to the last user
	Busiest  int     `json:"busiest_100ms"` // most attempts in 100 ms of that time

	AtDoor []int `json:"attempts_by_100ms"` // of all users, from the start of the run

	// Of all users: answered after the last one came; without an answer when
	// their patience ended; and with neither an answer nor a refusal before that.
	ServedAfter int `json:"served_after_last_arrival"`
	Timeout     int `json:"timeout"`
	Failed      int `json:"error"`

	LateP99    lab.Millis `json:"late_p99_ms"`
	LateMax    lab.Millis `json:"late_max_ms"`
	WorkSlower float64    `json:"work_slower"`
}

var heading = []string{"policy", "users", "attempts", "per user", "served", "served %", "attempts/s", "busiest 100 ms"}

func (r row) cells() []string {
	return []string{r.Policy, fmt.Sprint(r.Users), fmt.Sprint(r.Attempts), fmt.Sprintf("%.2f", r.PerUser), fmt.Sprint(r.Served),
		fmt.Sprintf("%.1f", r.ServedPct), fmt.Sprintf("%.1f", r.DoorRate), fmt.Sprint(r.Busiest)}
}

func (e experiment) count(run lab.Summary, samples []lab.Sample, arrivals []arrival) row {
	r := row{Policy: run.Policy, Timeout: run.Timeout, Failed: run.Failed, LateP99: run.LateP99, LateMax: run.LateMax, WorkSlower: run.WorkSlower}
	from, to := e.window()
	r.Users, r.Served = run.Between(from, to)
	if r.Users == 0 {
		return r
	}
	end := samples[run.Offered-run.NotSent-1].Due
	for _, x := range samples {
		if x.Outcome == lab.OK && x.Due+x.Latency > end {
			r.ServedAfter++
		}
	}
	var steady []time.Duration
	for _, a := range arrivals {
		interval := int(a.at / lab.WatchEvery)
		for len(r.AtDoor) <= interval {
			r.AtDoor = append(r.AtDoor, 0)
		}
		r.AtDoor[interval]++
		if due := samples[a.user].Due; due >= from && due < to {
			r.Attempts++
		}
		if a.at >= from && a.at <= end {
			steady = append(steady, a.at)
		}
	}
	r.PerUser = float64(r.Attempts) / float64(r.Users)
	r.ServedPct = 100 * float64(r.Served) / float64(r.Users)
	r.DoorRate = float64(len(steady)) / (end - from).Seconds()
	r.Busiest = busiest(steady, 100*time.Millisecond)
	return r
}

// busiest is the largest number of the instants that fall within one width.
func busiest(instants []time.Duration, width time.Duration) (most int) {
	slices.Sort(instants)
	first := 0
	for i, at := range instants {
		for at-instants[first] >= width {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}
