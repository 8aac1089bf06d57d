// Package sweep predicts the collapse of a service without limits.
package sweep

import "time"

// CollapsesAfter returns how long a service without limits bears a load that is
// multiple times its capacity: from then on no request that is due is answered
// within its client's patience. ok is false if it bears it for ever. The work of a
// request takes serviceTime, and requests come at equal distances.
func CollapsesAfter(patience, serviceTime time.Duration, multiple float64) (after time.Duration, ok bool) {
	if multiple <= 1 {
		return 0, false
	}
	// The line grows by multiple - 1 seconds of work in every second. Whoever joins
	// it waits for all of that, and is then worked on.
	seconds := longestWait(patience, serviceTime).Seconds() / (multiple - 1)
	return time.Duration(seconds * float64(time.Second)), true
}

// Unseen returns the highest load, in multiples of the capacity, at which a test of
// this length does not show the collapse of such a service, because the test is over
// before it comes.
func Unseen(patience, serviceTime, test time.Duration) (multiple float64) {
	return 1 + longestWait(patience, serviceTime).Seconds()/test.Seconds()
}

// longestWait is for how long a request can wait and still be answered in time.
func longestWait(patience, serviceTime time.Duration) time.Duration {
	return max(0, patience-serviceTime)
}
