package main

import (
	"sync/atomic"
	"time"
)

// A pace compares how long work takes with how long it should: a busy machine shows
// there first. The zero value is ready to use, by many at once.
type pace struct{ asked, took atomic.Int64 } // nanoseconds

// of does work that should take d.
func (p *pace) of(d time.Duration, work func() error) error {
	begin := time.Now()
	err := work()
	if err == nil {
		p.asked.Add(int64(d))
		p.took.Add(int64(time.Since(begin)))
	}
	return err
}

// slower is by what share the work took longer than asked.
func (p *pace) slower() float64 {
	if p.asked.Load() == 0 {
		return 0
	}
	return float64(p.took.Load())/float64(p.asked.Load()) - 1
}
