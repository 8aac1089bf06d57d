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

// Retries checks exercise 7: a client that retries politely. New makes one with a
// full budget.
func Retries(t *testing.T, new func() Client) {
	t.Helper()
	keep(t, retries(new))
}

const polite = "steps/07-retries/README.md, Why."

func retries(new func() Client) []rule {
	return []rule{
		{"retries add little to an overload", func() error { return overload(new()) }},
		{"nobody comes back before Retry-After has passed", func() error { return notBefore(new()) }},
		{"those who were turned away together do not come back together", func() error { return apart(new()) }},
		{"whoever has no time left for a retry is told at once", func() error { return noTime(new()) }},
		{"a user who leaves while the client waits is not kept", func() error { return leaves(new()) }},
		{"one refusal in a quiet hour is retried", func() error { return quiet(new()) }},
		{"an error that is no refusal is not retried", func() error { return noRefusal(new()) }},
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

// A visit is one attempt of a user.
type visit struct {
	user int
	at   time.Duration // since the first
}

// visits has a number of users turned away, all in the same instant, whenever they
// come. It returns their attempts, in the order they were made.
func visits(c Client, users int, retryAfter time.Duration) []visit {
	var all []visit
	var mu sync.Mutex
	start := time.Now()
	var running sync.WaitGroup
	for user := range users {
		running.Go(func() {
			c.Do(context.Background(), func(context.Context) error {
				mu.Lock()
				defer mu.Unlock()
				all = append(all, visit{user, time.Since(start)})
				return &lab.Overloaded{Reason: lab.LineFull, RetryAfter: retryAfter}
			})
		})
	}
	running.Wait()
	return all
}

func notBefore(c Client) error {
	const retryAfter = 2 * time.Second
	last := make(map[int]time.Duration)
	for _, v := range visits(c, 20, retryAfter) {
		before, again := last[v.user]
		if waited := v.at - before; again && waited < retryAfter {
			return wrong(
				fmt.Sprintf("a user who was told to come back in %v came back after %v", retryAfter, waited.Round(time.Millisecond)),
				fmt.Sprintf("at least %v", retryAfter),
				"how long the client waits before it sends again; "+polite)
		}
		last[v.user] = v.at
	}
	return nil
}

func apart(c Client) error {
	const together = 100 * time.Millisecond
	var second []time.Duration
	seen := make(map[int]int)
	for _, v := range visits(c, 100, time.Second) {
		if seen[v.user]++; seen[v.user] == 2 {
			second = append(second, v.at)
		}
	}
	if len(second) < 2 {
		return wrong(
			fmt.Sprintf("of 100 users who were turned away for the first time, %d tried again", len(second)),
			"about ten, as long as the budget pays for them",
			"whether the budget is asked once for each retry, and only then.")
	}
	spread := slices.Max(second) - slices.Min(second)
	if spread > together {
		return nil
	}
	return wrong(
		fmt.Sprintf("%d users who were turned away in the same instant came back within %v of each other", len(second), spread),
		fmt.Sprintf("spread over more than %v, as by a random time of up to Retry-After", together),
		"the random part of the wait; "+polite)
}

func noTime(c Client) error {
	ctx, cancel := context.WithTimeout(context.Background(), 1500*time.Millisecond)
	defer cancel()
	start, sent := time.Now(), 0
	err := c.Do(ctx, func(context.Context) error {
		sent++
		return &lab.Overloaded{Reason: lab.LineFull, RetryAfter: 2 * time.Second}
	})
	took := time.Since(start)
	if took == 0 && sent == 1 && isLineFull(err) {
		return nil
	}
	return wrong(
		fmt.Sprintf("with a patience of 1.5s and a Retry-After of 2s, Do returned %v after %v and %d attempts", err, took, sent),
		"the refusal, at once, after 1 attempt",
		"what the deadline of the context says about a wait, before it has begun.")
}

func leaves(c Client) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer time.AfterFunc(500*time.Millisecond, cancel).Stop()
	start, sent := time.Now(), 0
	c.Do(ctx, func(context.Context) error {
		sent++
		return &lab.Overloaded{Reason: lab.LineFull, RetryAfter: 2 * time.Second}
	})
	if took := time.Since(start); took > 500*time.Millisecond || sent != 1 {
		return wrong(
			fmt.Sprintf("the user left after 500ms, and Do returned after %v and %d attempts", took.Round(time.Millisecond), sent),
			"after 500ms and 1 attempt",
			"what ends the wait besides its time: a sleep does not look at the context.")
	}
	return nil
}

func quiet(c Client) error {
	start, sent := time.Now(), 0
	err := c.Do(context.Background(), func(context.Context) error {
		if sent++; sent == 1 {
			return &lab.Overloaded{Reason: lab.LineFull, RetryAfter: time.Second}
		}
		return nil
	})
	took := time.Since(start)
	if err == nil && sent == 2 && took <= 2*time.Second {
		return nil
	}
	return wrong(
		fmt.Sprintf("turned away once, with a Retry-After of 1s, Do returned %v after %v and %d attempts", err, took.Round(time.Millisecond), sent),
		"no error, within 2s, after 2 attempts",
		"whether the client tries again at all, and how long the random part of the wait can be.")
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
