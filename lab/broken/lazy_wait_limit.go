package broken

import (
	"context"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// LazyWaitLimit sends away those who have waited too long only when somebody
// else comes.
//
// It saves a timer for each request, and under load nobody sees a difference.
// When the traffic stops, those in line are forgotten there.
func LazyWaitLimit(l lab.Limits) (labtest.Controller, error) {
	w := &waiters{expired: make(map[chan time.Time]time.Time)}
	return assemble(l, func(ctx context.Context, p *parts) error {
		return lazyWaitLimit(ctx, p, w)
	})
}

func lazyWaitLimit(ctx context.Context, p *parts, w *waiters) error {
	w.sendAway(time.Now()) // MISTAKE: without a newcomer this does not happen
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
	if p.maxWait == lab.NoLimit {
		return p.wait(ctx)
	}
	expired := w.add(time.Now().Add(p.maxWait))
	defer w.remove(expired)
	select {
	case p.slots <- struct{}{}:
		return p.keep(ctx, expired)
	case <-expired:
		return p.waitedTooLong
	case <-ctx.Done():
		return ctx.Err()
	}
}

// waiters know until when each of them may wait.
type waiters struct {
	mu      sync.Mutex
	expired map[chan time.Time]time.Time // closed when its time has passed
}

func (w *waiters) add(until time.Time) chan time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	expired := make(chan time.Time)
	w.expired[expired] = until
	return expired
}

func (w *waiters) remove(expired chan time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.expired, expired)
}

func (w *waiters) sendAway(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for expired, until := range w.expired {
		if !now.Before(until) {
			close(expired)
			delete(w.expired, expired)
		}
	}
}
