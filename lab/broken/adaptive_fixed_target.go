package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// FixedTarget lowers the limit by a tenth when work takes longer than it is configured
// to, and raises it by one otherwise: additive increase, multiplicative decrease, as in
// Chiu and Jain, "Analysis of the Increase and Decrease Algorithms for Congestion
// Avoidance in Computer Networks" (1989).
//
// That finds the limit well, as long as somebody keeps the target right. When the
// database becomes slower for good, no limit is low enough.
func FixedTarget(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
	return assembleAlgorithm(l, how, &fixedTarget{how: how, limit: float64(max(l.Slots, how.Min))}, adapt)
}

type fixedTarget struct {
	how     lab.Adaptation
	limit   float64
	reached bool
	sum     time.Duration
	n       int
}

func (f *fixedTarget) Begin(running int) int {
	f.reached = f.reached || running >= f.Limit()
	return 0
}

func (f *fixedTarget) Limit() int { return int(f.limit) }

func (f *fixedTarget) End(_ time.Time, took time.Duration, _ int, failed bool) {
	const target = 2 * time.Second // MISTAKE: twice what work took when this was written
	if failed && took < target {
		return
	}
	f.sum += took
	if f.n++; f.n < 8 {
		return
	}
	switch {
	case f.sum > target*time.Duration(f.n):
		f.limit *= 0.9
	case f.reached:
		f.limit++
	}
	f.limit = min(max(f.limit, float64(f.how.Min)), float64(f.how.Max))
	f.sum, f.n, f.reached = 0, 0, false
}
