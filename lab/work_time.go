package lab

import (
	"sync"
	"time"
)

// A workTime estimates how long the next work takes from how long the last ones took,
// as TCP does with the time to an answer (Jacobson, "Congestion Avoidance and
// Control", SIGCOMM 1988; RFC 6298): by a mean that moves an eighth of the way with
// each of them, and a mean deviation that moves a quarter of the way.
//
// When the work slows down, however much, mean + 4 deviations covers it as soon as one
// slow work has ended. When it gets faster, that takes about thirty. The zero value
// knows nothing, and estimates 0. Safe for concurrent use.
type workTime struct {
	mu              sync.Mutex
	mean, deviation time.Duration
	last            time.Time // when the last work ended
}

// add says how long a work took that has just ended.
func (w *workTime) add(took time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last.IsZero() {
		w.mean, w.deviation = took, took/2
	} else {
		w.deviation += ((took - w.mean).Abs() - w.deviation) / 4
		w.mean += (took - w.mean) / 8
	}
	w.last = time.Now()
}

// An estimate is what is known at an instant of the time that work takes.
type estimate struct {
	mean    time.Duration
	longest time.Duration // hardly any takes longer
	last    time.Time     // when the last work ended, or zero
}

func (w *workTime) estimate() estimate {
	w.mu.Lock()
	defer w.mu.Unlock()
	// A tenth at least, so that nobody is promised the very last instant.
	return estimate{w.mean, w.mean + max(4*w.deviation, w.mean/10), w.last}
}

// stale reports whether nothing has been learned for so long that things may have
// changed.
func (e estimate) stale() bool { return time.Since(e.last) > time.Second }

// wait is how long a newcomer waits for a slot.
func (e estimate) wait(load Stats) time.Duration {
	if load.Running == 0 {
		return 0
	}
	perSlot := float64(load.Waiting) / float64(load.Running)
	return Seconds(perSlot * e.mean.Seconds())
}
