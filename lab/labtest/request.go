package labtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"example.com/sheddinglab/lab"
)

// An outcome is one of these two, a lab.Reason, or a text about something that
// must not happen.
type outcome string

const (
	served outcome = "served"
	gone   outcome = "gone"
)

// A request is one call of Do. Its work goes on until the gate is opened.
type request struct {
	name   string
	ctx    context.Context
	cancel context.CancelFunc
	open   func() // opens the gate

	gate  chan struct{}
	began chan struct{} // closed when the work begins; took is known then
	done  chan struct{} // closed when the call has ended; all below is known then

	asked    time.Time
	took     time.Duration // from asking until the work began, or until the refusal
	runs     atomic.Int32  // how often the work was run
	err      error         // what Do returned
	returned bool          // Do returned, and did not panic or end the goroutine
	panicked any           // what came out of Do instead
}

// work is the work of r.
func (r *request) work() error {
	if r.runs.Add(1) == 1 {
		r.took = time.Since(r.asked)
		close(r.began)
	}
	<-r.gate
	return nil
}

func (r *request) isDone() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// ends waits for the end of r and reports whether it came within d.
func (r *request) ends(d time.Duration) bool {
	select {
	case <-r.done:
		return true
	case <-time.After(d):
		return r.isDone()
	}
}

// outcome says how r ended. Call it when r is done.
func (r *request) outcome() outcome {
	shed, isShed := errors.AsType[*lab.Overloaded](r.err)
	ran := r.runs.Load()
	switch {
	case r.panicked != nil:
		return outcome(fmt.Sprintf("ended by the panic %v", r.panicked))
	case ran > 1:
		return outcome(fmt.Sprintf("worked on %d times", ran))
	case ran == 1 && r.err == nil:
		return served
	case ran == 1:
		return outcome(fmt.Sprintf("worked on, and then told %q", r.err))
	case isShed:
		return outcome(shed.Reason)
	case r.err != nil && r.err == r.ctx.Err():
		return gone
	default:
		return outcome(fmt.Sprintf("not worked on, and told %v", r.err))
	}
}

// fate says in words what has become of r.
func (r *request) fate() string {
	if r.isDone() {
		return r.name + " " + inWords(r.outcome()) + when(r.took)
	}
	select {
	case <-r.began:
		return r.name + " is being worked on"
	default:
		return r.name + " had no answer" + when(time.Since(r.asked))
	}
}

func inWords(o outcome) string {
	switch o {
	case served:
		return "was served"
	case gone:
		return "left with the error of its context"
	case outcome(lab.LineFull), outcome(lab.WaitedTooLong), outcome(lab.WouldBeLate):
		return "was turned away with " + string(o)
	default:
		return "was " + string(o)
	}
}

func when(d time.Duration) string {
	if d = d.Round(tick); d == 0 {
		return " at once"
	}
	return " after " + d.String()
}

// wantBegun ends the check unless the work of r begins at once.
func (r *request) wantBegun() {
	select {
	case <-r.began:
	case <-r.done:
	case <-time.After(patience):
	}
	if r.runs.Load() == 0 {
		fail(r.fate(), "a slot at once")
	}
}

// want ends the check unless r ended as wanted, not before it had waited for
// after and not long after that.
func (r *request) want(o outcome, after time.Duration) {
	inTime := r.ends(after + patience)
	if !inTime || r.outcome() != o || r.took < after || r.took > after+patience {
		fail(r.fate(), strings.TrimPrefix(inWords(o), "was ")+when(after))
	}
}

func (r *request) wantServed()                                  { r.want(served, 0) }
func (r *request) wantGone()                                    { r.want(gone, 0) }
func (r *request) wantShed(why lab.Reason, after time.Duration) { r.want(outcome(why), after) }
