package lab

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// LogRefusals returns a gatekeeper that does what gate does, and tells logger of
// requests that were shed: at most once a second, with the reason of one of them
// and the number since the line before. A line for each would make the log the
// next thing to collapse. Safe for concurrent use.
func LogRefusals(gate Gatekeeper, logger *slog.Logger) Gatekeeper {
	return &refusalLog{Gatekeeper: gate, logger: logger, start: time.Now()}
}

type refusalLog struct {
	Gatekeeper
	logger *slog.Logger
	start  time.Time
	count  atomic.Int64 // since the last line
	quiet  atomic.Int64 // no line before this instant, in nanoseconds from start
}

func (l *refusalLog) Do(ctx context.Context, work func() error) error {
	err := l.Gatekeeper.Do(ctx, work)
	if shed, ok := errors.AsType[*Overloaded](err); ok {
		l.note(shed)
	}
	return err
}

// Classes keeps from being hidden what gate has beyond a Gatekeeper.
func (l *refusalLog) Classes() map[Criticality]ClassStats { return classesOf(l.Gatekeeper) }

func (l *refusalLog) note(shed *Overloaded) {
	l.count.Add(1)
	now := int64(time.Since(l.start))
	quiet := l.quiet.Load()
	if now < quiet || !l.quiet.CompareAndSwap(quiet, now+int64(time.Second)) {
		return // said less than a second ago, or just now by another
	}
	count := l.count.Swap(0)
	if count == 0 {
		return // said a moment ago by another, who was slow
	}
	s := l.Stats()
	l.logger.Warn("requests shed", "count", count, "reason", shed.Reason,
		"running", s.Running, "waiting", s.Waiting)
}
