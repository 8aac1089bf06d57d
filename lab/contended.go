package lab

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"
)

// A Contended is a model of work whose pieces are in each other's way, as the
// transactions of a database are that want the same rows: each that is added slows down
// all others. With n at work all the time, one takes
//
//	Alone × (1 + n(n-1) / Knee²)
//
// so up to the knee more at work is more throughput, at the knee each takes about twice
// as long as alone, and beyond it throughput falls: twice as many are as bad as half as
// many. It is the Universal Scalability Law with its term for coherency alone (N. J.
// Gunther, "A General Theory of Computational Scalability Based on Rational Functions",
// 2008, https://arxiv.org/abs/0808.1431).
//
// Set Alone and Knee before the first use. Safe for concurrent use.
type Contended struct {
	Alone time.Duration // what work takes when nothing else is at work
	Knee  float64       // with so many at work the throughput is at its highest

	mu     sync.Mutex
	slower float64     // everything takes so many times as long; 0 stands for 1
	pieces []*piece    // the first to be done first
	timer  *time.Timer // runs finish when that one is
	given  float64     // how much work a piece has been given that was here from the start, in ns
	at     time.Time   // when given was right

	late, took time.Duration // of the pieces that are done
}

// A piece of work. All that are here are given the same at any time.
type piece struct {
	begun time.Time
	end   float64 // it is done when so much has been given
	done  chan struct{}
}

// Do returns when a piece of work of that size is done. One of size 1 takes Alone if
// nothing else is at work. If ctx ends first it returns ctx.Err().
func (c *Contended) Do(ctx context.Context, size float64) error {
	p := c.add(size)
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		c.remove(p)
		return ctx.Err()
	}
}

func (c *Contended) add(size float64) *piece {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.give()
	p := &piece{c.at, c.given + size*float64(c.Alone), make(chan struct{})}
	i, _ := slices.BinarySearchFunc(c.pieces, p, func(a, b *piece) int { return cmp.Compare(a.end, b.end) })
	c.pieces = slices.Insert(c.pieces, i, p)
	c.arm()
	return p
}

func (c *Contended) remove(p *piece) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.give()
	c.pieces = slices.DeleteFunc(c.pieces, func(other *piece) bool { return other == p })
	c.arm()
}

// Slow makes all work take factor times as long from now on, also what is left of work
// that has begun.
func (c *Contended) Slow(factor float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.give()
	c.slower = factor
	c.arm()
}

// finish ends what is done.
func (c *Contended) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.give()
	stretch := c.stretch()
	for len(c.pieces) > 0 && c.pieces[0].end < c.given+1 { // less than 1 ns is left
		p := c.pieces[0]
		c.late += time.Duration((c.given - p.end) * stretch)
		c.took += c.at.Sub(p.begun)
		close(p.done)
		c.pieces = c.pieces[1:]
	}
	c.arm()
}

// give brings given up to now.
func (c *Contended) give() {
	now := time.Now()
	if len(c.pieces) == 0 {
		c.given = 0 // so that it stays small enough to be exact
	} else {
		c.given += float64(now.Sub(c.at)) / c.stretch()
	}
	c.at = now
}

// arm sets the timer for the first piece.
func (c *Contended) arm() {
	if c.timer == nil {
		c.timer = time.AfterFunc(time.Hour, c.finish)
	}
	c.timer.Stop()
	if len(c.pieces) > 0 {
		c.timer.Reset(time.Duration((c.pieces[0].end-c.given)*c.stretch()) + 1)
	}
}

// stretch is how much longer than alone work takes with those who are at work now.
func (c *Contended) stretch() float64 {
	s := float64(c.Time(max(1, len(c.pieces)))) / float64(c.Alone)
	if c.slower > 0 {
		s *= c.slower
	}
	return s
}

// Time is what work of size 1 takes with n at work all the time, if nothing has slowed it
// down.
func (c *Contended) Time(n int) time.Duration {
	crowd := float64(n) * float64(n-1) / (c.Knee * c.Knee)
	return time.Duration(float64(c.Alone) * (1 + crowd))
}

// Throughput is how many of size 1 are done per second with n at work all the time.
func (c *Contended) Throughput(n int) float64 { return float64(n) / c.Time(n).Seconds() }

// MixedSize is the size of piece i of a mixture: from 0.75 to 1.5, more of them small
// than large, and 1 on average, also over any few that follow each other. It is the same
// in every run.
func MixedSize(i int) float64 {
	_, spread := math.Modf(float64(i) * math.Phi) // evenly from 0 to 1
	return 0.75 + 0.75*spread*spread
}

// WorkSlower is by what share the work took longer than the model says, as it does when
// the processor is busy with something else.
func (c *Contended) WorkSlower() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.took == c.late {
		return 0
	}
	return float64(c.late) / float64(c.took-c.late)
}
