package check

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// BoundedLine checks exercise 4: a line that is never longer than its limit. It ends
// with the whole kit of package labtest.
func BoundedLine(t *testing.T, newController labtest.Constructor) {
	t.Helper()
	keep(t, boundedLine(newController))
}

func boundedLine(newController labtest.Constructor) []rule {
	return append([]rule{
		{"the line has as many places as its limit says", once, func() error { return places(newController) }},
		{"a line of one has no room for two", again, func() error { return lineOfOne(newController) }},
	}, kit(newController)...)
}

// bounded are limits with one slot, and places in which one may wait for ever.
func bounded(places int) lab.Limits {
	return lab.Limits{Slots: 1, MaxWaiting: places, MaxWait: lab.NoLimit}
}

// places fills lines of several lengths. One request comes after the other, so that
// there is no race for a place.
func places(newController labtest.Constructor) error {
	for _, limit := range []int{0, 1, 40, 1000} {
		c, err := newController(bounded(limit))
		if err != nil {
			return refusedLimits(err)
		}
		if waiting := fill(c, 2*limit+10, synctest.Wait); waiting != limit {
			return wrong(
				fmt.Sprintf("with MaxWaiting %d, %d wait in line", limit, waiting), fmt.Sprint(limit),
				"the number that the length of the line is compared with.")
		}
	}
	return nil
}

// fill sends requests to a controller with one slot, and returns how many of them are
// in line when all of those have been refused who are. Between two of them it calls
// pause.
func fill(c labtest.Controller, requests int, pause func()) (waiting int) {
	finish := make(chan struct{})
	var all sync.WaitGroup
	var refused atomic.Int64
	for range requests {
		all.Go(func() {
			if isLineFull(c.Do(context.Background(), func() error { <-finish; return nil })) {
				refused.Add(1)
			}
		})
		pause()
	}
	synctest.Wait()
	waiting = requests - 1 - int(refused.Load()) // one is at work
	close(finish)
	all.Wait()
	return waiting
}

// lineOfOne has a crowd come to a line of one; and then two requests at a time, to
// many of them, one after the other.
func lineOfOne(newController labtest.Constructor) error {
	const crowd, lines = 10, 300
	c, err := newController(bounded(1))
	if err != nil {
		return refusedLimits(err)
	}
	longest, requests := fill(c, crowd, func() {}), crowd
	if longest <= 1 {
		longest, requests = twoAtATime(newController, lines), 2
	}
	if longest <= 1 { // it is for the kit to say where a place is lost
		return nil
	}
	return wrong(
		fmt.Sprintf("of %d that asked at the same time, %d were in line, if only for an instant", requests, longest),
		"one of them in line, and line_full for the others",
		"the step that looks at the length and the one that raises it; steps/04-bounded-line/README.md, Why.")
}

// twoAtATime returns how many were in one of the lines, at its end or as seen by
// somebody who stood in it.
func twoAtATime(newController labtest.Constructor, lines int) int {
	finish := make(chan struct{})
	var holders sync.WaitGroup
	defer holders.Wait()
	defer close(finish)
	all := make([]labtest.Controller, lines)
	for i := range all {
		all[i], _ = newController(bounded(1)) // once it has made one
		holders.Go(func() { all[i].Do(context.Background(), func() error { <-finish; return nil }) })
	}
	synctest.Wait() // until the slots are taken

	var longest atomic.Int64
	look := func(c labtest.Controller) {
		if n := int64(c.Stats().Waiting); n > longest.Load() {
			longest.Store(n) // it does not matter which of two that are too long
		}
	}
	// stand stands in line until further returns, and calls it there.
	stand := func(i int, further func()) bool {
		ctx, leave := context.WithCancel(context.Background())
		return !isLineFull(all[i].Do(busy{ctx, sync.OnceFunc(func() {
			defer leave()
			look(all[i])
			further()
		})}, func() error { return nil }))
	}
	// Only if one asks for Done in line, and not before.
	inLine := false
	stand(0, func() { inLine = all[0].Stats().Waiting == 1 })
	if !inLine {
		return 1
	}
	in := lastPlace(lines, stand)
	return max(in, int(longest.Load()))
}
