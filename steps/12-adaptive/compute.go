package main

import (
	"errors"
	"math"
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

// calibrate measures how many iterations of compute take a millisecond of processor
// time, which does not count what others do meanwhile.
func calibrate() (perMilli float64, err error) {
	const iterations = 1 << 25 // some tens of milliseconds
	begin := time.Now()
	least := time.Duration(math.MaxInt64)
	for range 3 {
		before := processorTime()
		compute(iterations)
		least = min(least, processorTime()-before)
	}
	switch {
	case time.Since(begin) == 0:
		return 0, errors.New("-burn needs a clock that goes on while the processor computes: virtual time does not")
	case least <= 0:
		return 0, errors.New("-burn needs the processor time of this process: it cannot be read on this system")
	}
	return iterations / float64(lab.ToMillis(least)), nil
}
