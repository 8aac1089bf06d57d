package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
)

// Client is the client of exercise 7. Its users share it.
type Client interface {
	Do(ctx context.Context, send func(context.Context) error) error
}

// Retries checks exercise 7: a client that retries politely. newClient makes one with a
// full budget.
func Retries(t *testing.T, newClient func() Client) {
	t.Helper()
	keep(t, retries(newClient))
}

const polite = "steps/07-retries/README.md, Why."

func retries(newClient func() Client) []rule {
	return []rule{
		{"retries add little to an overload", once, func() error { return overload(newClient()) }},
		{"nobody comes back before Retry-After has passed", once, func() error { return notBefore(newClient()) }},
		{"whoever is turned away for good is told so", once, func() error { return givesUp(newClient()) }},
		{"the budget pays for a tenth of the requests, and is asked before the wait", once, func() error { return budget(newClient()) }},
		{"those who were turned away together do not come back together", once, func() error { return apart(newClient) }},
		{"whoever has no time left for a retry is told at once", once, func() error { return noTime(newClient) }},
		{"a user who leaves while the client waits is not kept", once, func() error { return leaves(newClient()) }},
		{"one refusal in a quiet hour is retried", once, func() error { return quiet(newClient) }},
		{"an error that is no refusal is not retried", once, func() error { return noRefusal(newClient()) }},
	}
}

// overload is the experiment of step 7: twice the capacity, users with a patience of
// three seconds, and a service that tells those it turns away to come back in one.
// Counted are the users due from 4 s to 6 s.
func overload(c Client) error {
	service, err := lab.NewController(lab.Limits{Slots: slots, MaxWaiting: 40, MaxWait: 300 * time.Millisecond, RetryAfter: time.Second})
	if err != nil {
		panic(err)
	}
	const from, to = 4 * time.Second, 6 * time.Second
	users, attempts := 0, 0
	var mu sync.Mutex
	start := time.Now()
	load := lab.OpenLoop{Rate: 2 * capacity, Duration: 9 * time.Second, Patience: 3 * time.Second, HangUp: true}
	send(load, func(ctx context.Context) error {
		due := time.Since(start)
		counted := from <= due && due < to
		add := func(n *int) {
			if counted {
				mu.Lock()
				*n++
				mu.Unlock()
			}
		}
		add(&users)
		return c.Do(ctx, func(ctx context.Context) error {
			add(&attempts)
			return service.Do(ctx, func() error { return lab.PretendWork(ctx, serviceTime) })
		})
	})
	if perUser := float64(attempts) / float64(users); perUser > 1.15 {
		return wrong(
			fmt.Sprintf("%d users made %d attempts, %.2f for each", users, attempts, perUser),
			"at most 1.15 for each",
			"what pays for a retry; "+polite)
	}
	return nil
}

// A visit is what became of one user.
type visit struct {
	attempts []time.Duration // since the call of Do
	took     time.Duration   // Do
	err      error           // of Do
}

// turnAway has Do called by a user who is turned away whenever he comes.
func turnAway(ctx context.Context, c Client, retryAfter time.Duration) visit {
	var v visit
	start := time.Now()
	v.err = c.Do(ctx, func(context.Context) error {
		v.attempts = append(v.attempts, time.Since(start))
		return &lab.Overloaded{Reason: lab.LineFull, RetryAfter: retryAfter}
	})
	v.took = time.Since(start)
	return v
}

// visits has a number of users turned away in the same instant, each of them by the
// client that is next.
func visits(users int, next func() Client) []visit {
	all := make([]visit, users)
	var running sync.WaitGroup
	for i := range all {
		running.Go(func() { all[i] = turnAway(context.Background(), next(), time.Second) })
	}
	running.Wait()
	return all
}

func notBefore(c Client) error {
	const retryAfter = 2 * time.Second
	v := turnAway(context.Background(), c, retryAfter)
	for i := range len(v.attempts) - 1 {
		if waited := v.attempts[i+1] - v.attempts[i]; waited < retryAfter {
			return wrong(
				fmt.Sprintf("a user who was told to come back in %v came back after %v", retryAfter, waited.Round(time.Millisecond)),
				fmt.Sprintf("at least %v", retryAfter),
				"how long the client waits before it sends again; "+polite)
		}
	}
	return nil
}

// givesUp has users turned away one after the other, the first of them by a client
// with a full budget, and the last by one whose budget is empty.
func givesUp(c Client) error {
	for range 30 {
		if v := turnAway(context.Background(), c, time.Second); len(v.attempts) == 0 || !isLineFull(v.err) {
			return wrong(
				fmt.Sprintf("after %d attempts, of which all were turned away, Do returned %v", len(v.attempts), v.err),
				"what the last attempt returned: overloaded: line_full",
				"what Do returns when it gives up, on each of the ways on which it does.")
		}
	}
	return nil
}

// budget has users turned away until the budget is long empty, in crowds.
func budget(c Client) error {
	const crowds, crowd = 10, 100
	retries := 0
	for range crowds {
		for _, v := range visits(crowd, func() Client { return c }) {
			retries += len(v.attempts) - 1
			if last := v.attempts[len(v.attempts)-1]; v.took != last {
				return wrong(
					fmt.Sprintf("a user waited for %v after the last attempt, and was then told that there would be no other one",
						(v.took-last).Round(time.Millisecond)),
					"no wait: the answer is known at once",
					"the order of steps: when the budget is asked, and when the wait begins.")
			}
		}
	}
	// Ten from the beginning, and a tenth for each request.
	if most, least := 10+crowds*crowd/10, crowds*crowd/20; retries < least || retries > most {
		return wrong(
			fmt.Sprintf("%d requests, which were all turned away, were followed by %d retries", crowds*crowd, retries),
			fmt.Sprintf("a tenth of them, and ten more: at most %d", most),
			"whether the budget is paid into once for each request, and asked once for each retry.")
	}
	return nil
}

// apart has many users turned away for the first time, none of whom lacks a budget.
func apart(newClient func() Client) error {
	const retryAfter = time.Second
	var second []time.Duration
	for _, v := range visits(200, newClient) {
		if len(v.attempts) > 1 {
			second = append(second, v.attempts[1])
		}
	}
	if len(second) == 0 {
		return wrong("of 200 users who were turned away for the first time, 0 tried again", "all of them",
			"whether the client tries again at all, and what the budget says.")
	}
	first, last := slices.Min(second), slices.Max(second)
	if first < retryAfter*5/4 && last > retryAfter*7/4 && last <= 2*retryAfter {
		return nil
	}
	return wrong(
		fmt.Sprintf("%d users who were told to come back in %v came back between %v and %v", len(second), retryAfter,
			first.Round(time.Millisecond), last.Round(time.Millisecond)),
		fmt.Sprintf("spread evenly between %v and %v", retryAfter, 2*retryAfter),
		"the random part of the wait; "+polite)
}

// noTime has users turned away whose patience ends before Retry-After has passed, or
// so soon after it that the random part decides.
func noTime(newClient func() Client) error {
	const patience = 1500 * time.Millisecond
	for i := range 100 {
		retryAfter := time.Duration(i%2+1) * time.Second
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		v := turnAway(ctx, newClient(), retryAfter)
		cancel()
		if len(v.attempts) > 0 && v.took == v.attempts[len(v.attempts)-1] && isLineFull(v.err) && v.took < patience {
			continue
		}
		return wrong(
			fmt.Sprintf("with a patience of %v and a Retry-After of %v, Do made attempts after %v, and returned %v after %v",
				patience, retryAfter, v.attempts, v.err, v.took),
			"the last refusal, as soon as it is known that the next attempt would be too late",
			"what the deadline of the context says about the whole wait, before it has begun.")
	}
	return nil
}

func leaves(c Client) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer time.AfterFunc(500*time.Millisecond, cancel).Stop()
	v := turnAway(ctx, c, 2*time.Second)
	if v.took <= 500*time.Millisecond && len(v.attempts) == 1 && (isLineFull(v.err) || errors.Is(v.err, context.Canceled)) {
		return nil
	}
	return wrong(
		fmt.Sprintf("the user left after 500ms, and Do returned %v after %v and %d attempts", v.err, v.took.Round(time.Millisecond), len(v.attempts)),
		"the refusal, or the error of the context, after 500ms and 1 attempt",
		"what ends the wait besides its time (a sleep does not look at the context), and what is returned then.")
}

// quiet has users turned away once, also with an error that has the refusal inside.
func quiet(newClient func() Client) error {
	refusal := &lab.Overloaded{Reason: lab.LineFull, RetryAfter: time.Second}
	for _, refused := range []error{refusal, fmt.Errorf("POST /work: %w", refusal)} {
		start, sent := time.Now(), 0
		err := newClient().Do(context.Background(), func(context.Context) error {
			if sent++; sent == 1 {
				return refused
			}
			return nil
		})
		took := time.Since(start)
		if err == nil && sent == 2 && took <= 2*time.Second {
			continue
		}
		return wrong(
			fmt.Sprintf("turned away once, with %q and a RetryAfter of 1s, Do returned %v after %v and %d attempts",
				refused, err, took.Round(time.Millisecond), sent),
			"no error, within 2s, after 2 attempts",
			"whether the client tries again at all, and what errors.AsType finds.")
	}
	return nil
}

func noRefusal(c Client) error {
	boom := errors.New("boom")
	sent := 0
	err := c.Do(context.Background(), func(context.Context) error { sent++; return boom })
	if err == boom && sent == 1 {
		return nil
	}
	return wrong(fmt.Sprintf("Do returned %v after %d attempts", err, sent), "boom after 1 attempt",
		"which errors are refusals: only those say when to come back.")
}
