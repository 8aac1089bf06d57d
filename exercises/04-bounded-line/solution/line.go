package controller

import "sync"

// A line counts those who wait, up to a number of places.
type line struct {
	places int

	mu           sync.Mutex
	length, peak int // the line as it is, and at its longest
}

// join takes a place in line and reports whether there was one.
func (l *line) join() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.length >= l.places {
		return false
	}
	l.length++ // the mutex has been held since the look: the place is still there
	l.peak = max(l.peak, l.length)
	return true
}

// leave gives back the place that join took.
func (l *line) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.length--
}

// now returns how many wait, and how many there were at most.
func (l *line) now() (length, peak int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.length, l.peak
}
