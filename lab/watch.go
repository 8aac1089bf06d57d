package lab

import (
	"context"
	"time"
)

// WatchEvery is the time from one reading of [Watch] to the next.
const WatchEvery = 100 * time.Millisecond

// watchFirst is in the middle of the first interval, and a little off: in virtual
// time nothing else happens in that instant, so that no reading is left to chance.
const watchFirst = WatchEvery/2 + time.Millisecond

// Watch calls read every [WatchEvery], and for the first time after half of that,
// until ctx ends. It returns what was read, in order.
func Watch(ctx context.Context, read func() int) []int {
	var readings []int
	for at := time.Now().Add(watchFirst); sleepUntil(ctx, at); at = at.Add(WatchEvery) {
		readings = append(readings, read())
	}
	return readings
}
