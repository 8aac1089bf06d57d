package labtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"time"

	"example.com/sheddinglab/lab"
)

// Behaviours returns all behaviours in their order.
func Behaviours() []Behaviour { return slices.Concat(eight(), further()) }

// eight returns the behaviours that every reader should know by heart.
func eight() []Behaviour {
	return []Behaviour{{
		Number: 1,
		Name:   "idle service serves everything",
		Rule: `A request that finds a free slot is served at once, whatever the limits.
			A service that sheds without being busy loses answers for nothing.`,
		Look: `the order of steps: the slot is tried first, and the line is for those
			who did not get one.`,
		check: func(c *crew) {
			for _, l := range []lab.Limits{
				{Slots: 2},
				{Slots: 2, MaxWaiting: 2},
				{Slots: 2, MaxWait: long},
				{Slots: 2, MaxWaiting: 2, MaxWait: long},
				{Slots: 2, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit},
			} {
				c.build(l)
				for range 20 {
					c.ask(fmt.Sprintf("with limits of %+v, a request that finds every slot free", l)).wantServed()
				}
				c.hold()
				for range 20 {
					c.ask(fmt.Sprintf("with limits of %+v, a request that finds one slot free", l)).wantServed()
				}
			}
		},
	}, {
		Number: 2,
		Name:   "a full line turns away immediately",
		Rule: `With every slot busy and the line full, a request is told line_full at
			once. A refusal is only cheap, for both sides, if nobody waits for it.`,
		Look: `the step that takes a place in line: it must not block.`,
		check: func(c *crew) {
			for places := range 3 {
				c.build(lab.Limits{Slots: 1, MaxWaiting: places, MaxWait: long})
				c.hold()
				for range places {
					c.queue("a request that finds a place in line")
				}
				c.ask(fmt.Sprintf("a request that comes to a full line of %d", places)).
					wantShed(lab.LineFull, 0)
			}
		},
	}, {
		Number: 3,
		Name:   "the wait limit turns away after the limit",
		Rule: `A request that has stood in line for MaxWait is told waited_too_long:
			not before, and also when no other request comes by. Its client would soon
			give up, and a slot that comes after that is wasted.`,
		Look: `the timer of the wait: each request needs one of its own.`,
		check: func(c *crew) {
			const wait = 2 * waitable
			c.build(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: wait})
			c.hold()
			c.ask("the only request in line").wantShed(lab.WaitedTooLong, wait)
			c.queue("a request that comes later").wantShed(lab.WaitedTooLong, wait)
		},
	}, {
		Number: 4,
		Name:   "timeouts give back their place",
		Rule: `A request that gives up waiting leaves the line. A place that is not given
			back is lost for good: after one bad minute the line looks full for ever,
			and only a restart helps.`,
		Look: `every way out of the wait, not only the one that got a slot; a defer right
			after joining the line covers them all.`,
		check: func(c *crew) {
			c.build(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: waitable})
			holder := c.hold()
			for i := range 5 {
				c.ask(fmt.Sprintf("number %d of 5 that ask one after the other", i+1)).
					wantShed(lab.WaitedTooLong, waitable)
			}
			c.wantCounts("after 5 have given up", 1, 0)
			holder.open()
			c.wantCounts("after the work has ended too", 0, 0)
			c.ask("the next request").wantServed()
		},
	}, {
		Number: 6,
		Name:   "a cancelled waiter gives back its place",
		Rule: `A client that hangs up in line leaves the line, takes no slot, and counts as
			gone, never as shed: nobody turned it away. Otherwise dead clients fill the
			line and the slots, and the shed count blames the limits for it.`,
		Look: `the way out of the wait when the context is done.`,
		check: func(c *crew) {
			c.build(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: long})
			holder := c.hold()
			for range 3 {
				first, second := c.queue("the first in line"), c.queue("the second in line")
				first.cancel()
				first.wantGone()
				c.wantCounts("after one of two in line has left", 1, 1)
				second.cancel()
				second.wantGone()
				c.wantCounts("after both in line have left", 1, 0)
			}
			if s := c.ctrl.Stats(); s.Gone != 6 || s.ShedLineFull+s.ShedWaitedTooLong > 0 {
				fail(fmt.Sprintf("after 6 have left the line, gone is %d and shed is %d",
					s.Gone, s.ShedLineFull+s.ShedWaitedTooLong), "gone is 6 and shed is 0")
			}
			left, stays := c.queue("one that will leave"), c.queue("one that stays in line")
			left.cancel()
			left.wantGone()
			holder.open()
			stays.wantBegun()
		},
	}, {
		Number: 7,
		Name:   "the slot is released when the work fails",
		Rule: `Work that returns an error, panics or calls runtime.Goexit gives its slot
			back, and the error or panic goes on to the caller. net/http recovers the
			panics of handlers, so the process lives on, with one slot less each time.`,
		Look: `how the slot is given back: only a defer runs in all of these cases.`,
		check: func(c *crew) {
			c.build(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: long})
			boom := errors.New("boom")
			for _, way := range []struct {
				name     string
				end      func() error
				err      error
				panicked any
				returned bool
			}{
				{"an error", func() error { return boom }, boom, nil, true},
				{"a panic", func() error { panic("boom") }, nil, "boom", false},
				{"a panic of http.ErrAbortHandler", func() error { panic(http.ErrAbortHandler) }, nil, http.ErrAbortHandler, false},
				{"runtime.Goexit", func() error { runtime.Goexit(); return nil }, nil, nil, false},
			} {
				r := c.start("work that ends with "+way.name, func(r *request) error {
					return c.ctrl.Do(r.ctx, func() error {
						r.work()
						return way.end()
					})
				})
				r.open()
				if !r.ends(patience) || r.err != way.err || r.panicked != way.panicked || r.returned != way.returned {
					fail(fmt.Sprintf("after %s, Do returned is %v, its error is %v, its panic is %v", r.name, r.returned, r.err, r.panicked),
						fmt.Sprintf("returned is %v, the error is %v, the panic is %v", way.returned, way.err, way.panicked))
				}
				c.wantCounts("after "+r.name, 0, 0)
				c.ask("the request after " + r.name).wantServed()
			}
		},
	}, {
		Number: 8,
		Name:   "HTTP 503 carries Retry-After and health stays up",
		Rule: `Over HTTP a refusal is a 503 that names its reason and says in Retry-After
			when to come back, in whole seconds and rounded up. The health check is
			answered all the while: a busy service that looks dead gets restarted, which
			makes it busier.`,
		Look: `the RetryAfter of the Overloaded that the controller returns; the handler is
			lab.NewService.`,
		check: func(c *crew) {
			l := lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: long, RetryAfter: 2500 * time.Millisecond}
			c.build(l)
			holder, ok := c.get("/work", "the request that is worked on")
			holder.wantBegun()
			c.queue("the request in line")
			asked, full := c.get("/work", "a request that finds the line full")
			wantRefusal(asked, full, lab.LineFull, 0)
			asked, health := c.get("/health", "a health check while every slot is busy and the line full")
			wantStatus(asked, health, http.StatusOK, 0)
			holder.open()
			wantStatus(holder, ok, http.StatusOK, 0)

			l.MaxWait = waitable
			c.build(l)
			c.hold()
			waiter, tooLong := c.get("/work", "a request that waits too long")
			wantRefusal(waiter, tooLong, lab.WaitedTooLong, waitable)
		},
	}}
}

// get starts a request over HTTP, without a network.
func (c *crew) get(path, name string) (*request, *httptest.ResponseRecorder) {
	answer := httptest.NewRecorder()
	r := c.start(name, func(r *request) error {
		service := lab.NewService(c.ctrl, func(context.Context) error { r.work(); return nil })
		service.ServeHTTP(answer, httptest.NewRequestWithContext(r.ctx, "GET", path, nil))
		return nil
	})
	return r, answer
}

// wantStatus ends the check unless r is answered with status not long after
// the given time.
func wantStatus(r *request, answer *httptest.ResponseRecorder, status int, after time.Duration) {
	wanted := fmt.Sprintf("status %d%s", status, when(after))
	if !r.ends(after + patience) {
		fail(r.name+" had no answer"+when(time.Since(r.asked)), wanted)
	}
	if answer.Code != status || r.took < after || r.took > after+patience {
		fail(fmt.Sprintf("%s got status %d%s", r.name, answer.Code, when(r.took)), wanted)
	}
}

// wantRefusal ends the check unless r is shed with reason, as HTTP has it.
func wantRefusal(r *request, answer *httptest.ResponseRecorder, reason lab.Reason, after time.Duration) {
	wantStatus(r, answer, http.StatusServiceUnavailable, after)
	if got := answer.Header().Values("Retry-After"); !slices.Equal(got, []string{"3"}) {
		fail(fmt.Sprintf("%s got Retry-After %q", r.name, got), `["3"] for a RetryAfter of 2.5s`)
	}
	var body struct{ Reason lab.Reason }
	if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil || body.Reason != reason {
		fail(fmt.Sprintf("%s got the body %q", r.name, answer.Body), fmt.Sprintf("JSON with the reason %s", reason))
	}
}
