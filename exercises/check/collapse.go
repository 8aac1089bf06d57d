package check

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/sheddinglab/lab"
)

// The service of the steps: it can finish 79.9 requests per second, and its clients
// wait for a second.
const (
	slots       = 4
	serviceTime = 50070 * time.Microsecond
	capacity    = 79.9
	patience    = time.Second
)

// NewGate makes the gate of exercise 3.
type NewGate func(slots, places int) lab.Admitter

// Collapse checks exercise 3: a gate with a bound on the number of those who wait.
func Collapse(t *testing.T, new NewGate) {
	t.Helper()
	keep(t, collapse(new))
}

func collapse(new NewGate) []rule {
	return []rule{
		{"at twice the capacity nobody waits in vain", func() error {
			r, _ := twiceTheCapacity(new)
			if r.Timeout == 0 && r.Wasted == 0 {
				return nil
			}
			return wrong(
				fmt.Sprintf("%d of %d clients had no answer within %v; %d of %d pieces of work were finished for clients who had gone",
					r.Timeout, r.Offered, patience, r.Wasted, r.Work),
				"0 and 0",
				"who waits in Do, and how many of them there are; steps/03-collapse/README.md, Why.")
		}},
		{"whoever finds the line full is told at once", func() error {
			r, other := twiceTheCapacity(new)
			if r.ShedP99 <= 1 && other == nil {
				return nil
			}
			return wrong(
				fmt.Sprintf("the slow refusals took %s ms; another error than line_full: %v", r.ShedP99, other),
				"0 ms, and none but line_full",
				"the step that finds the line full: it must not wait for anything.")
		}},
		{"the slots are kept busy", func() error {
			r, _ := twiceTheCapacity(new)
			if r.Steady >= 0.95*capacity {
				return nil
			}
			return wrong(
				fmt.Sprintf("goodput after the first second is %.1f/s", r.Steady),
				fmt.Sprintf("at least 95%% of the capacity, which is %.1f/s", capacity),
				"a slot or a place that is not given back, or that is given back too late.")
		}},
		{"never more than slots at work and places waiting", func() error { return crowds(new) }},
		{"a gate that is idle serves everybody", func() error { return idle(new) }},
	}
}

// twiceTheCapacity is the experiment of step 3 with a line of 4. It also returns the
// first error of the gate that is not what a full line says.
func twiceTheCapacity(new NewGate) (lab.Summary, error) {
	const places = 4 // few, so that it does not matter in which order they are served
	gate := new(slots, places)
	load := lab.OpenLoop{Rate: 2 * capacity, Duration: 5 * time.Second, Patience: patience}
	var mu sync.Mutex
	var other error
	samples := send(load, func(ctx context.Context) error {
		err := gate.Do(ctx, func() error {
			if ctx.Err() != nil {
				return ctx.Err() // the run is over
			}
			return lab.PretendWork(context.WithoutCancel(ctx), serviceTime)
		})
		if err != nil && ctx.Err() == nil && !isLineFull(err) {
			mu.Lock()
			other = err
			mu.Unlock()
		}
		return err
	})
	return lab.Summarize("gate", load, time.Second, samples), other
}

func isLineFull(err error) bool {
	shed, ok := errors.AsType[*lab.Overloaded](err)
	return ok && shed.Reason == lab.LineFull
}

// crowds sends fifty requests at once, and again when they have ended.
func crowds(new NewGate) error {
	const crowd = 50
	for _, slots := range []int{1, 3} {
		for places := range 4 {
			gate := new(slots, places)
			for range 2 {
				running, waiting, served := rush(gate, crowd)
				if running == slots && waiting == places && served == slots+places {
					continue
				}
				return wrong(
					fmt.Sprintf("with %d slots, %d places and %d requests at once, %d were at work and %d waited; %d were served in the end",
						slots, places, crowd, running, waiting, served),
					fmt.Sprintf("%d, %d and %d", slots, places, slots+places),
					"what is compared with the bound, whether that is one step with the counting, and every way on which a slot or a place goes back.")
			}
		}
	}
	return nil
}

// rush sends n requests at once. It returns how many were at work and how many
// waited while none of them could finish, and how many were served in the end.
func rush(gate lab.Admitter, n int) (running, waiting, served int) {
	var began, returned, ok atomic.Int64
	finish := make(chan struct{})
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			err := gate.Do(context.Background(), func() error {
				began.Add(1)
				<-finish
				return nil
			})
			returned.Add(1)
			if err == nil {
				ok.Add(1)
			}
		})
	}
	synctest.Wait()
	running = int(began.Load())
	waiting = n - running - int(returned.Load())
	close(finish)
	all.Wait()
	return running, waiting, int(ok.Load())
}

// idle sends requests one after the other, which all find every slot free. The work
// of some of them fails.
func idle(new NewGate) error {
	boom := errors.New("boom")
	for places := range 2 {
		gate := new(1, places)
		for i := range 20 {
			var want error
			if i%3 == 1 {
				want = boom
			}
			ran := false
			err := gate.Do(context.Background(), func() error { ran = true; return want })
			if ran && err == want {
				continue
			}
			return wrong(
				fmt.Sprintf("with 1 slot and %d places, call %d of those that come one after the other: worked on is %v, its error is %v",
					places, i+1, ran, err),
				fmt.Sprintf("worked on is true, its error is that of the work: %v", want),
				"what is given back when the work has ended, whether or not it failed.")
		}
	}
	return nil
}
