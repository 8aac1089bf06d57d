package lab

import "sync/atomic"

// A line counts who waits, up to a fixed number of places. It keeps no order:
// the slots channel of the [Controller] does. Whoever has been given a slot
// leaves the line when it runs, a few microseconds later; for so long a line may
// look full while every slot is taken, and never while one is free.
//
// It is a counter and not a second channel because peak must be exact: after a
// send, len may already be the length of a later line.
type line struct {
	places int64
	length atomic.Int64 // never above places, not for an instant
	peak   atomic.Int64 // the largest value length ever had
}

// join takes a place and reports whether there was one.
func (l *line) join() bool {
	for {
		n := l.length.Load()
		if n >= l.places {
			return false
		}
		if l.length.CompareAndSwap(n, n+1) { // check and add are one step
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
