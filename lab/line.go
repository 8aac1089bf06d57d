package lab

import "sync/atomic"

// A line counts the requests inside, in a slot or waiting for one. Those beyond the
// number of slots are the line. It keeps no order: the slots channel of the
// [Controller] does.
//
// The line is not counted by itself, because a request that is given a slot takes
// a moment to notice. Whoever frees a slot gives up its own place inside first: so
// there is never a free slot without a place for whoever asks for it.
type line struct {
	slots  int64
	inside atomic.Int64
	peak   atomic.Int64 // the longest the line has been
}

// join takes a place inside, if fewer than limit are inside: not for an instant are
// there more. It reports whether there was one.
func (l *line) join(limit int64) bool {
	n := l.enter(limit)
	if n > l.slots {
		l.raisePeak(n - l.slots)
	}
	return n > 0
}

// enter is join for what never stands in line. It returns how many are inside then, or
// 0 if there was no place.
func (l *line) enter(limit int64) int64 {
	for {
		n := l.inside.Load()
		if n >= limit {
			return 0
		}
		if l.inside.CompareAndSwap(n, n+1) { // check and add are one step
			return n + 1
		}
	}
}

func (l *line) leave() { l.inside.Add(-1) }

// length is how many wait.
func (l *line) length() int { return int(max(0, l.inside.Load()-l.slots)) }

func (l *line) raisePeak(n int64) {
	for {
		peak := l.peak.Load()
		if n <= peak || l.peak.CompareAndSwap(peak, n) {
			return
		}
	}
}
