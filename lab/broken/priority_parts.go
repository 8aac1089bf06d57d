package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// classParts are what the controllers with classes here are built from. As with
// parts, there is no mistake in this file: put together by acquireAs they are a
// correct controller.
type classParts struct {
	*parts
	shares lab.Shares
	each   [4]parts // only their counters are used
}

// acquireAsFunc gets a slot for a request of a class.
type acquireAsFunc func(ctx context.Context, p *classParts, class lab.Criticality) error

// acquireAs is the correct one.
func acquireAs(ctx context.Context, p *classParts, class lab.Criticality) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.trySlot() {
		return nil
	}
	if !p.line.joinUpTo(p.shares[class]) {
		return p.lineFull
	}
	defer p.line.leave()
	return p.wait(ctx)
}

// joinUpTo is join for whoever may use only the first places.
func (l *line) joinUpTo(places int) bool {
	for {
		n := l.length.Load()
		if n >= int64(places) {
			return false
		}
		if l.length.CompareAndSwap(n, n+1) {
			l.raisePeak(n + 1)
			return true
		}
	}
}

// countAs adds one to the counters of the outcome err, in all and of the class.
func (p *classParts) countAs(class lab.Criticality, err error) {
	p.count(err)
	p.each[class].count(err)
}

func (p *classParts) Classes() map[lab.Criticality]lab.ClassStats {
	stats := map[lab.Criticality]lab.ClassStats{}
	for class := range p.each {
		s := p.each[class].Stats()
		stats[lab.Criticality(class)] = lab.ClassStats{
			Admitted: s.Admitted, ShedLineFull: s.ShedLineFull, ShedWaitedTooLong: s.ShedWaitedTooLong, Gone: s.Gone,
		}
	}
	return stats
}

// classController puts the parts together with a way to get a slot.
type classController struct {
	*classParts
	acquire acquireAsFunc
}

func (c *classController) Do(ctx context.Context, work func() error) error {
	class := lab.CriticalityOf(ctx)
	err := c.acquire(ctx, c.classParts, class)
	c.countAs(class, err)
	if err != nil {
		return err
	}
	defer c.release()
	return work()
}

// assembleClasses returns a controller that gets its slots with acquire.
func assembleClasses(l lab.Limits, s lab.Shares, acquire acquireAsFunc) (labtest.PriorityController, error) {
	p, err := newClassParts(l, s)
	if err != nil {
		return nil, err
	}
	return &classController{p, acquire}, nil
}

func newClassParts(l lab.Limits, s lab.Shares) (*classParts, error) {
	if _, err := lab.NewPriorityController(l, s); err != nil {
		return nil, err // they make no sense
	}
	p, err := newParts(l)
	return &classParts{parts: p, shares: s}, err
}
