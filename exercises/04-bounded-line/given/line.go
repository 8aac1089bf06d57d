package controller

import (
	"runtime"
	"sync"
)

// A line counts those who wait, up to a number of places.
type line struct {
	places int

	mu           sync.Mutex
	length, peak int // the line as it is, and at its longest
}

// join takes a place in line and reports whether there was one.
func (l *line) join() bool {
	// GAP: the line may fill up between the look at it and the step into it. Let no
	// more than places of them join, however many try in the same instant.
	if l.isFull() {
		return false
	}
	runtime.Gosched() // stands for the line that was written to the log here
	l.lengthen()
	return true
}

func (l *line) isFull() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.length >= l.places
}

func (l *line) lengthen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.length++
	l.peak = max(l.peak, l.length)
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
