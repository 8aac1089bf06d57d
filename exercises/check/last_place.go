package check

import (
	"sync"
	"sync/atomic"
	"time"
)

// lastPlace has two requests ask for the last place of one gate after the other, as
// nearly in the same instant as two processors can do it. Enter asks gate i. If it gets
// the place it calls further and keeps the place until that returns; else it returns
// false. LastPlace returns how many got the last place: 1, or a number that is wrong.
//
// It is for a bubble. Gates are used again, and so they must be idle when it begins.
func lastPlace(gates int, enter func(i int, further func()) bool) (in int) {
	const rounds = 10
	refused := make([]atomic.Int64, rounds*gates)
	together(rounds, func(round int) {
		var pass func(i int)
		pass = func(i int) {
			if i == gates {
				time.Sleep(time.Second) // the other one is here too then, or waits for this one
				return
			}
			if !enter(i, func() { pass(i + 1) }) {
				refused[round*gates+i].Add(1)
				pass(i + 1)
			}
		}
		pass(0)
	})
	for i := range refused {
		if n := refused[i].Load(); n != 1 {
			return int(2 - n)
		}
	}
	return 1
}

// together has two goroutines do the same in every round, from the same instant on.
func together(rounds int, do func(round int)) {
	var arrived atomic.Int64
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for round := range rounds {
				arrived.Add(1)
				// To look again and again is quicker than to be woken, if there is
				// another processor on which the other one runs.
				for looks := 0; arrived.Load() < int64(2*(round+1)); looks++ {
					if looks > 100_000 {
						time.Sleep(time.Millisecond) // it may be asleep itself
					}
				}
				do(round)
			}
		})
	}
	both.Wait()
}
