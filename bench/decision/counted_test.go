package decision

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// counted makes of a peer a controller that the kit can check. The peer decides,
// and what it does not count is counted here, from outside: in line is who has been
// asking for longer than an instant of virtual time.
type counted struct {
	admit func(ctx context.Context, work func() error) error

	mu     sync.Mutex
	asking map[*time.Time]bool // since when
	stats  lab.Stats           // but for Waiting and Arrived
}

func newCounted(admit func(ctx context.Context, work func() error) error) *counted {
	return &counted{admit: admit, asking: make(map[*time.Time]bool)}
}

func (c *counted) Do(ctx context.Context, work func() error) error {
	since := time.Now()
	c.mu.Lock()
	c.asking[&since] = true
	c.mu.Unlock()
	admitted := false
	err := c.admit(ctx, func() error {
		admitted = true
		c.answered(&since, nil)
		defer func() {
			c.mu.Lock()
			c.stats.Running--
			c.mu.Unlock()
		}()
		return work()
	})
	if !admitted {
		c.answered(&since, err)
	}
	return err
}

// answered counts the answer to one who has been asking.
func (c *counted) answered(since *time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.look()
	delete(c.asking, since)
	shed, isShed := errors.AsType[*lab.Overloaded](err)
	switch {
	case err == nil:
		c.stats.Admitted++
		c.stats.Running++
	case isShed && shed.Reason == lab.LineFull:
		c.stats.ShedLineFull++
	case isShed:
		c.stats.ShedWaitedTooLong++
	default:
		c.stats.Gone++
	}
}

// look counts the line, which is longest when somebody is about to leave it.
func (c *counted) look() (waiting int) {
	for since := range c.asking {
		if time.Now().After(*since) {
			waiting++
		}
	}
	c.stats.PeakLine = max(c.stats.PeakLine, waiting)
	return waiting
}

func (c *counted) Stats() lab.Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := c.look()
	s := c.stats
	s.Waiting = waiting
	s.Arrived = s.Waiting + s.Admitted + s.ShedLineFull + s.ShedWaitedTooLong + s.Gone
	return s
}

// controller is a [labtest.Constructor].
func (k gatekeeper) controller(l lab.Limits) (labtest.Controller, error) {
	if _, err := lab.NewController(l); err != nil {
		return nil, err
	}
	g := k.new(l)
	return newCounted(func(ctx context.Context, work func() error) error {
		if err := g.Acquire(ctx); err != nil {
			return asOverloaded(err, l)
		}
		defer g.Release()
		return work()
	}), nil
}

// asOverloaded is err as the lab has it, with a reason. The bulkhead of failsafe-go
// says the same after a wait and without one.
func asOverloaded(err error, l lab.Limits) error {
	full := errors.Is(err, errFull) || errors.Is(err, bulkhead.ErrFull)
	waited := errors.Is(err, errTooLong) || errors.Is(err, bulkhead.ErrFull) && l.MaxWait != 0
	switch {
	case waited, full && l.MaxWaiting != 0: // a line, and no time to stand in it
		return &lab.Overloaded{Reason: lab.WaitedTooLong, RetryAfter: l.RetryAfter}
	case full:
		return &lab.Overloaded{Reason: lab.LineFull, RetryAfter: l.RetryAfter}
	}
	return err
}

// controller is a [labtest.Constructor]. The handler is called with a request that
// has the work in its context.
func (m middlewareMaker) controller(l lab.Limits) (labtest.Controller, error) {
	if _, err := lab.NewController(l); err != nil {
		return nil, err
	}
	type workKey struct{}
	if l.MaxWaiting == lab.NoLimit {
		l.MaxWaiting, l.MaxWait = 1000, time.Hour // chi has no such thing, and the kit waits for neither
	}
	h := m.new(l, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		r.Context().Value(workKey{}).(func())()
	}))
	return newCounted(func(ctx context.Context, work func() error) error {
		var err error
		ctx = context.WithValue(ctx, workKey{}, func() { err = work() })
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, "GET", "/", nil))
		switch body := answer.Body.String(); {
		case answer.Code == http.StatusOK:
			return err
		case strings.Contains(body, "capacity exceeded"):
			return &lab.Overloaded{Reason: lab.LineFull, RetryAfter: l.RetryAfter}
		case strings.Contains(body, "Timed out"):
			return &lab.Overloaded{Reason: lab.WaitedTooLong, RetryAfter: l.RetryAfter}
		}
		return ctx.Err()
	}), nil
}
