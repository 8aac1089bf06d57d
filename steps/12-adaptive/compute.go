package main

import (
	"errors"
	"time"

	"example.com/sheddinglab/lab"
)

var sink uint64 // keeps the compiler from leaving compute out

// compute computes something of no use, as many times as it is told.
func compute(iterations int) {
	x := uint64(iterations) | 1
	for range iterations {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 { // which never happens
		sink = x
	}
}

// calibrate measures how many iterations of compute a processor does in a
// millisecond. It gives up where the clock stands still meanwhile, as in virtual time.
func calibrate() (perMilli float64, err error) {
	for n := 1 << 20; n <= 1<<27; n *= 2 {
		best := time.Duration(0)
		for range 3 { // the shortest is the one that nobody interrupted
			start := time.Now()
			compute(n)
			if took := time.Since(start); best == 0 || took < best {
				best = took
			}
		}
		if best >= 10*time.Millisecond {
			return float64(n) / float64(lab.ToMillis(best)), nil
		}
		if best == 0 {
			break
		}
	}
	return 0, errors.New("-burn needs a clock that goes on while the processor computes: virtual time does not")
}
