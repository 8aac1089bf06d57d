// Step 7: what do retries do to an overloaded service?
//
// New against the steps before: users. A user who is turned away may try again, up
// to three times in all, under one of three policies: never; at once; or politely,
// which is to wait as long as the service asked for and a random time more, and to
// retry only as long as a budget pays for it. See lab.Retry.
//
// A retry is an arrival like any other, and the service is full of arrivals.
// Retries cannot create capacity, so every policy serves as many users; what they
// differ in is how many attempts the service must turn away for it.
//
// By default everything is in this process. With -http each policy has an HTTP
// server on the loopback interface to itself, and the polite client is an
// http.Client with a lab.RetryTransport. What it leaves out: failures other than
// overload, where a retry does help.
//
//	make step-7
//	go run ./steps/07-retries -http
//	go run ./steps/07-retries -retry-ratio 1
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

// A policy is what a user does who is turned away.
type policy struct {
	name  string
	tries int        // one right after the other
	retry *lab.Retry // if set: politely instead
}

// ask makes the attempts of one user. It returns the error of the last one.
func (p policy) ask(ctx context.Context, attempt send, random func() float64) (err error) {
	if p.retry != nil {
		polite := *p.retry
		polite.Random = random
		return polite.Do(ctx, attempt)
	}
	for range p.tries {
		err = attempt(ctx)
		if _, shed := errors.AsType[*lab.Overloaded](err); !shed {
			break
		}
	}
	return err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(7, "retries", "what do retries do to an overloaded service?")
	set := step.Settings(9 * time.Second)
	multiple := step.Float("multiple", 2, "users who come, in multiples of the capacity")
	budget := step.Millis("budget", 500*time.Millisecond, "wait in line that gives the line its length, as in step 4")
	maxWait := step.Millis("max-wait", 300*time.Millisecond, "longest wait in line, as in step 5")
	retryAfter := step.Millis("retry-after", time.Second, "what a turned-away client is told")
	patience := step.Seconds("user-patience", 3*time.Second, "a user's, for all attempts together; -client-timeout is for one")
	tries := step.Int("tries", 3, "attempts a user makes at most")
	ratio := step.Float("retry-ratio", 0.1, "retries per user that the polite client's budget pays for, at most 1")
	seed := step.Int("seed", 1, "of the random waits")
	overHTTP := step.Bool("http", "send the attempts over HTTP")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	places := lab.LittlesLaw(set.Capacity, *budget)
	step.Printf("The service has a line of %d and a wait limit of %v, and tells whom it turns away to come back in %v. "+
		"A user waits %v for each attempt, and %v in all.", places, *maxWait, *retryAfter, set.ClientTimeout, *patience)
	if *multiple < 1.8 || *tries < 3 || min(*budget, *maxWait)+set.ServiceTime >= set.ClientTimeout {
		step.Doubt("the claims are about 1.8 times the capacity or more, three tries, and a line that leaves time for the work")
	}

	e := experiment{
		limits:         lab.Limits{Slots: set.Slots, MaxWaiting: places, MaxWait: *maxWait, RetryAfter: *retryAfter},
		serviceTime:    set.ServiceTime,
		attemptTimeout: set.ClientTimeout,
		load:           lab.OpenLoop{Rate: *multiple * set.Capacity, Duration: set.Duration, Patience: *patience, HangUp: true},
		warmUp:         set.WarmUp,
		seed:           uint64(*seed),
		overHTTP:       *overHTTP,
	}
	from, to := e.window()
	if to <= from {
		step.Doubt("there is nobody to count: -duration must be above -warm-up and twice -user-patience, %v", from+*patience)
		return step.End(ctx, "")
	}
	step.Printf("Counted are the users due from %v to %v: after the retries have come to their full number, and early enough "+
		"for new users to come until these have lost patience.", from, to)

	policies := []policy{
		{name: "none", tries: 1},
		{name: "immediate", tries: *tries},
		{name: "polite", retry: &lab.Retry{Tries: *tries, Budget: &lab.RetryBudget{Ratio: *ratio}}},
	}
	rows := make([]row, len(policies))
	runs, err := step.SideBySide(set.Duration+*patience, len(policies), func(i int) (run lab.Summary, err error) {
		rows[i], run, err = e.run(ctx, policies[i])
		return run, err
	})
	if err != nil {
		return err
	}
	table := [][]string{heading}
	for _, r := range rows {
		if r.Users == 0 {
			return step.End(ctx, "") // cut short in the warm-up
		}
		if r.Failed > 0 {
			step.Doubt("%d users of %q got neither an answer nor a refusal", r.Failed, r.Policy)
		}
		step.Row(r)
		table = append(table, r.cells())
	}
	step.Print(lab.Table(table) + lab.Lateness(runs...))
	none, immediate, polite := rows[0], rows[1], rows[2]
	step.Printf("Not counted: the %d, %d and %d users who were answered after the last arrival. A service that nobody new "+
		"comes to has time for every retry.", none.ServedAfter, immediate.ServedAfter, polite.ServedAfter)

	step.Add("attempts per user, immediate", immediate.PerUser >= 1.7, fmt.Sprintf("%.2f", immediate.PerUser), "at least 1.7")
	step.Add("attempts per user, polite", polite.PerUser <= 1.15, fmt.Sprintf("%.2f", polite.PerUser), "at most 1.15")
	least := min(none.ServedPct, immediate.ServedPct, polite.ServedPct)
	most := max(none.ServedPct, immediate.ServedPct, polite.ServedPct)
	step.Add("users served, least to most", most-least <= 5, fmt.Sprintf("%.1f%% to %.1f%%", least, most), "within 5 points")
	step.KeyFigure("%.2f attempts per user at once, %.2f politely, and as many served", immediate.PerUser, polite.PerUser)
	return step.End(ctx, "make step-8")
}
