package labtest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
)

// The times of the checks: short for the wall clock, and far enough apart for a
// busy machine.
const (
	tick     = time.Millisecond       // between two looks at Stats
	waitable = 25 * time.Millisecond  // a MaxWait that is meant to pass
	patience = 400 * time.Millisecond // for whatever should happen at once
	long     = time.Second            // a MaxWait that is not meant to pass
)

// A mismatch is what a check measured beside what it wanted.
type mismatch struct{ measured, wanted string }

// fail ends the check, like t.Fatal in a test. It may only be called by the
// goroutine that runs the check; run recovers it.
func fail(measured, wanted string) { panic(mismatch{measured, wanted}) }

// A crew sends requests to one controller and knows how each of them ended.
type crew struct {
	new      Constructor
	ctrl     Controller
	requests []*request
}

// run runs check with a crew and brings the crew home, whatever happened.
func run(new Constructor, check func(*crew)) (m *mismatch) {
	c := &crew{new: new}
	try := func(f func()) {
		defer func() {
			if v := recover(); v != nil {
				found, ok := v.(mismatch)
				if !ok {
					panic(v)
				}
				if m == nil {
					m = &found
				} else {
					m.measured += "; then " + found.measured
				}
			}
		}()
		f()
	}
	try(func() { check(c) })
	try(c.goHome)
	return m
}

// sideBySide runs check several times at once, each with its own crew.
func (c *crew) sideBySide(n int, check func(*crew)) {
	found := make(chan *mismatch, n)
	for range n {
		go func() { found <- run(c.new, check) }()
	}
	var first *mismatch
	for range n {
		if m := <-found; m != nil && first == nil {
			first = m
		}
	}
	if first != nil {
		panic(*first)
	}
}

// build gives the crew a new controller.
func (c *crew) build(l lab.Limits) {
	c.goHome()
	ctrl, err := c.new(l)
	if err != nil {
		fail(fmt.Sprintf("the constructor refused %+v: %v", l, err), "a controller")
	}
	c.ctrl = ctrl
}

// goHome cancels every context, opens every gate and waits until all requests
// have ended. No wait limit in the checks is longer than its patience.
func (c *crew) goHome() {
	for _, r := range c.requests {
		r.open()
		r.cancel()
	}
	missing := 0
	deadline := time.Now().Add(2 * long)
	for _, r := range c.requests {
		if !r.ends(time.Until(deadline)) {
			missing++
		}
	}
	total := len(c.requests)
	c.requests = nil
	if missing > 0 {
		fail(fmt.Sprintf("%d of %d requests did not come back within %v after their contexts were cancelled and their work let go", missing, total, 2*long),
			"every call of Do returns")
	}
}

// start starts a request in a goroutine of its own. Call is what it does there,
// usually c.do or c.doAtOnce.
func (c *crew) start(name string, call func(*request) error) *request {
	ctx, cancel := context.WithCancel(context.Background())
	gate := make(chan struct{})
	r := &request{
		name: name, ctx: ctx, cancel: cancel, gate: gate,
		open:  sync.OnceFunc(func() { close(gate) }),
		began: make(chan struct{}), done: make(chan struct{}),
		asked: time.Now(),
	}
	c.requests = append(c.requests, r)
	go func() {
		defer close(r.done)
		defer func() {
			r.panicked = recover()
			if r.runs.Load() == 0 {
				r.took = time.Since(r.asked)
			}
		}()
		r.err = call(r)
		r.returned = true
	}()
	return r
}

func (c *crew) do(r *request) error { return c.ctrl.Do(r.ctx, r.work) }

// doAtOnce is do with work that takes no time.
func (c *crew) doAtOnce(r *request) error {
	r.open()
	return c.do(r)
}

// ask starts a request whose work takes no time.
func (c *crew) ask(name string) *request {
	return c.start(name, c.doAtOnce)
}

// hold starts a request that must get a slot at once, and keeps it until its
// gate is opened.
func (c *crew) hold() *request {
	r := c.start("a request that finds a free slot", c.do)
	r.wantBegun()
	return r
}

// queue starts a request and returns when it stands in line.
func (c *crew) queue(name string) *request {
	return c.queueFor(name, c.do)
}

func (c *crew) queueFor(name string, call func(*request) error) *request {
	before := c.ctrl.Stats().Waiting
	r := c.start(name, call)
	for deadline := r.asked.Add(patience); ; {
		time.Sleep(tick) // before the first look: time to fall asleep in line
		if c.ctrl.Stats().Waiting > before {
			return r
		}
		if r.isDone() {
			fail(r.fate(), "a place in line")
		}
		if time.Now().After(deadline) {
			fail(fmt.Sprintf("%s: Stats().Waiting is %d before and after it asked", r.fate(), before),
				fmt.Sprintf("a place in line, and Stats().Waiting to be %d", before+1))
		}
	}
}

// rush starts n requests that all ask in the same instant.
func (c *crew) rush(n int, call func(*request) error) []*request {
	starter := make(chan struct{})
	all := make([]*request, n)
	for i := range all {
		all[i] = c.start(fmt.Sprintf("one of %d that came at once", n), func(r *request) error {
			<-starter
			return call(r)
		})
	}
	close(starter)
	return all
}
