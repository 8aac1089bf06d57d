// Package sweep predicts the collapse of a service without limits.
package sweep

import "time"

// CollapsesAfter returns how long a service without limits bears a load that is
// multiple times its capacity: from then on no request that is due is answered
// within its client's patience. ok is false if it bears it for ever. The work of a
// request takes serviceTime, and requests come at equal distances.
func CollapsesAfter(patience, serviceTime time.Duration, multiple float64) (after time.Duration, ok bool) {
	// GAP: this says that it collapses as soon as somebody has waited for as long as
	// he has patience. But how long does it take until the line is so long?
	return patience, multiple > 1
}

// Unseen returns the highest load, in multiples of the capacity, at which a test of
// this length does not show the collapse of such a service, because the test is over
// before it comes.
func Unseen(patience, serviceTime, test time.Duration) (multiple float64) {
	// GAP, the other side of it: with which load does CollapsesAfter return test?
	return 1
}
