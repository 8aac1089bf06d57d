package check

import (
	"context"
	"errors"
	"fmt"
	"runtime"
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
func Collapse(t *testing.T, newGate NewGate) {
	t.Helper()
	keep(t, collapse(newGate))
}

func collapse(newGate NewGate) []rule {
	return []rule{
		{"at twice the capacity hardly anybody waits in vain", once, func() error {
			r, _ := twiceTheCapacity(newGate)
			if r.Timeout <= fewPlaces { // served the newest first, the oldest stay in line
				return nil
			}
			return wrong(
				fmt.Sprintf("%d of %d clients had no answer within %v; %d of %d pieces of work were finished for clients who had gone",
					r.Timeout, r.Offered, patience, r.Wasted, r.Work),
				fmt.Sprintf("none, or not more than there are places, which is %d", fewPlaces),
				"who waits in Do, and how many of them there are; steps/03-collapse/README.md, Why.")
		}},
		{"whoever finds the line full is told at once", once, func() error {
			r, other := twiceTheCapacity(newGate)
			if r.ShedP99 <= 1 && other == nil {
				return nil
			}
			return wrong(
				fmt.Sprintf("the slow refusals took %s ms; another error than line_full: %v", r.ShedP99, other),
				"0 ms, and none but line_full",
				"the step that finds the line full: it must not wait for anything.")
		}},
		{"the slots are kept busy", once, func() error {
			r, _ := twiceTheCapacity(newGate)
			if r.Steady >= 0.95*capacity {
				return nil
			}
			return wrong(
				fmt.Sprintf("goodput after the first second is %.1f/s", r.Steady),
				fmt.Sprintf("at least 95%% of the capacity, which is %.1f/s", capacity),
				"a slot or a place that is not given back, or that is given back too late.")
		}},
		{"never more than slots at work and places waiting", once, func() error { return crowds(newGate) }},
		{"a gate that is idle serves everybody", once, func() error { return idle(newGate) }},
		{"of those who come at once only one gets the last place", again, func() error { return roomForOne(newGate) }},
	}
}

const fewPlaces = 4

// twiceTheCapacity is the experiment of step 3 with a short line. It also returns the
// first error of the gate that is not what a full line says.
func twiceTheCapacity(newGate NewGate) (lab.Summary, error) {
	gate := newGate(slots, fewPlaces)
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
func crowds(newGate NewGate) error {
	const crowd = 50
	for _, slots := range []int{1, 3} {
		for places := range 4 {
			gate := newGate(slots, places)
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

var boom = errors.New("boom")

// ways are those in which work can end. After the last two Do does not return, or
// says what it likes.
var ways = []struct {
	name string
	work func() error
	err  error
}{
	{"success", func() error { return nil }, nil},
	{"an error", func() error { return boom }, boom},
	{"a panic", func() error { panic(boom) }, nil},
	{"runtime.Goexit", func() error { runtime.Goexit(); return nil }, nil},
}

// idle sends requests one after the other, which all find every slot free.
func idle(newGate NewGate) error {
	for places := range 2 {
		gate := newGate(1, places)
		before := "nothing"
		for i := range 5 * len(ways) {
			way := ways[i%len(ways)]
			var ran, returned atomic.Bool
			var err error
			go func() {
				defer func() { recover() }()
				err = gate.Do(context.Background(), func() error { ran.Store(true); return way.work() })
				returned.Store(true)
			}()
			synctest.Wait()
			if !ran.Load() {
				return wrong(
					fmt.Sprintf("with 1 slot and %d places, a request that came after %s was not worked on", places, before),
					"worked on at once",
					"what is given back when work has ended, however it ends: only a defer runs in all cases.")
			}
			if i%len(ways) < 2 && (!returned.Load() || err != way.err) {
				return wrong(
					fmt.Sprintf("work ended with %s; Do returned is %v, its error is %v", way.name, returned.Load(), err),
					fmt.Sprintf("returned is true, the error is %v", way.err),
					"what Do does after the work.")
			}
			before = "work that ended with " + way.name
		}
	}
	return nil
}

// roomForOne has two requests at a time come to gates with one slot each, and no place
// in line.
func roomForOne(newGate NewGate) error {
	gates := make([]lab.Admitter, 300)
	for i := range gates {
		gates[i] = newGate(1, 0)
	}
	in := lastPlace(len(gates), func(i int, further func()) bool {
		return gates[i].Do(context.Background(), func() error { further(); return nil }) == nil
	})
	if in == 1 {
		return nil
	}
	return wrong(
		fmt.Sprintf("with 1 slot, 0 places and 2 requests in the same instant, %d were let in", in), "1",
		"the step that looks whether there is room and the one that takes it: what if another request comes between them?")
}
