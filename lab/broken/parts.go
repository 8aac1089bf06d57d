package broken

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// parts are what the controllers here are built from. There is no mistake in
// this file: put together by acquire below they are a correct controller, and a
// test says so.
type parts struct {
	slots chan struct{} // a token for every request being worked on
	line  line

	maxWait                 time.Duration // or lab.NoLimit
	lineFull, waitedTooLong *lab.Overloaded

	admitted, shedLineFull, shedWaitedTooLong, gone atomic.Int64
}

// acquireFunc gets a slot, or says in its error why there is none.
type acquireFunc func(ctx context.Context, p *parts) error

// acquire is the correct one.
func acquire(ctx context.Context, p *parts) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	if err := p.join(); err != nil {
		return err
	}
	defer p.line.leave()
	return p.wait(ctx)
}

func (p *parts) trySlot() bool {
	select {
	case p.slots <- struct{}{}:
		return true
	default:
		return false
	}
}

func (p *parts) release() { <-p.slots }

// join takes a place in line, or says why there is none.
func (p *parts) join() error {
	switch {
	case p.maxWait == 0 && p.line.places > 0:
		return p.waitedTooLong
	case !p.line.join():
		return p.lineFull
	}
	return nil
}

// wait stands in line.
func (p *parts) wait(ctx context.Context) error {
	limit := p.limit()
	select {
	case p.slots <- struct{}{}:
		return p.keep(ctx, limit)
	case <-limit:
		return p.waitedTooLong
	case <-ctx.Done():
		return ctx.Err()
	}
}

// limit is ready when the wait limit has passed.
func (p *parts) limit() <-chan time.Time {
	if p.maxWait == lab.NoLimit {
		return nil
	}
	return time.After(p.maxWait)
}

// keep hands back a slot that came in the instant the wait ended.
func (p *parts) keep(ctx context.Context, limit <-chan time.Time) error {
	select {
	case <-limit:
		p.release()
		return p.waitedTooLong
	case <-ctx.Done():
		p.release()
		return ctx.Err()
	default:
		return nil
	}
}

// count adds one to the counter of the outcome err.
func (p *parts) count(err error) {
	shed, isShed := errors.AsType[*lab.Overloaded](err)
	switch {
	case err == nil:
		p.admitted.Add(1)
	case isShed && shed.Reason == lab.LineFull:
		p.shedLineFull.Add(1)
	case isShed:
		p.shedWaitedTooLong.Add(1)
	default:
		p.gone.Add(1)
	}
}

func (p *parts) Stats() lab.Stats {
	s := lab.Stats{
		Running:           len(p.slots),
		Waiting:           int(p.line.length.Load()),
		PeakLine:          int(p.line.peak.Load()),
		Admitted:          int(p.admitted.Load()),
		ShedLineFull:      int(p.shedLineFull.Load()),
		ShedWaitedTooLong: int(p.shedWaitedTooLong.Load()),
		Gone:              int(p.gone.Load()),
	}
	s.Arrived = s.Waiting + s.Admitted + s.ShedLineFull + s.ShedWaitedTooLong + s.Gone
	return s
}

// line counts who waits.
type line struct {
	places       int64
	length, peak atomic.Int64
}

func (l *line) join() bool {
	for {
		n := l.length.Load()
		if n >= l.places {
			return false
		}
		if l.length.CompareAndSwap(n, n+1) {
			l.raisePeak(n + 1)
			return true
		}
	}
}

func (l *line) leave() { l.length.Add(-1) }

func (l *line) raisePeak(n int64) {
	for {
		peak := l.peak.Load()
		if n <= peak || l.peak.CompareAndSwap(peak, n) {
			return
		}
	}
}

// controller puts the parts together with a way to get a slot.
type controller struct {
	*parts
	acquire acquireFunc
}

func (c *controller) Do(ctx context.Context, work func() error) error {
	err := c.acquire(ctx, c.parts)
	c.count(err)
	if err != nil {
		return err
	}
	defer c.release()
	return work()
}

// assemble returns a controller that gets its slots with acquire.
func assemble(l lab.Limits, acquire acquireFunc) (labtest.Controller, error) {
	p, err := newParts(l)
	if err != nil {
		return nil, err
	}
	return &controller{p, acquire}, nil
}

func newParts(l lab.Limits) (*parts, error) {
	if _, err := lab.NewController(l); err != nil {
		return nil, err // the limits make no sense
	}
	places := int64(l.MaxWaiting)
	if l.MaxWaiting == lab.NoLimit {
		places = math.MaxInt64
	}
	return &parts{
		slots:         make(chan struct{}, l.Slots),
		line:          line{places: places},
		maxWait:       l.MaxWait,
		lineFull:      &lab.Overloaded{Reason: lab.LineFull, RetryAfter: l.RetryAfter},
		waitedTooLong: &lab.Overloaded{Reason: lab.WaitedTooLong, RetryAfter: l.RetryAfter},
	}, nil
}
