package broken

import (
	"math"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// Drifts compares the last work with the average of all work, and not with what work
// takes alone.
//
// Work that is as slow as usual is then fine, however slow that is. The limit rises, so
// all work gets slower, so the average rises too, and the limit with it.
func Drifts(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
	return assembleAlgorithm(l, how, &drifts{how: how, limit: float64(max(l.Slots, how.Min))}, adapt)
}

type drifts struct {
	how         lab.Adaptation
	limit       float64
	usual, last float64 // moving averages, over many and over a few
	n           int
}

func (d *drifts) Begin(int) int { return 0 }
func (d *drifts) Limit() int    { return int(d.limit) }

func (d *drifts) End(_ time.Time, took time.Duration, _ int, _ bool) {
	if d.n == 0 {
		d.usual, d.last = float64(took), float64(took)
	}
	d.usual += (float64(took) - d.usual) / 200 // MISTAKE: it moves along with what it should judge
	d.last += (float64(took) - d.last) / 10
	if d.n++; d.n%int(2*d.limit) != 0 {
		return
	}
	gradient := min(max(d.how.Tolerance*d.usual/d.last, 0.5), 1)
	limit := gradient*d.limit + math.Sqrt(d.limit)
	d.limit += 0.2 * (min(max(limit, float64(d.how.Min)), float64(d.how.Max)) - d.limit)
}
