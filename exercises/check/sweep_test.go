package check

import (
	"testing"
	"time"

	"example.com/sheddinglab/lab"
)

func TestSweep(t *testing.T) {
	const when, below, short = "the collapse comes when it is predicted", "at the capacity, and below, there is none",
		"a test that is too short shows nothing"
	after := func(patience, serviceTime time.Duration, multiple float64) (time.Duration, bool) {
		return lab.Seconds(max(0, patience-serviceTime).Seconds() / (multiple - 1)), multiple > 1
	}
	for _, c := range []struct {
		name        string
		after       CollapsesAfter
		unseen      Unseen
		rule, words string
	}{
		{"never", func(time.Duration, time.Duration, float64) (time.Duration, bool) { return 0, false }, nil, when, "predicted never"},
		{"without the work", func(patience, _ time.Duration, multiple float64) (time.Duration, bool) {
			return after(patience, 0, multiple)
		}, nil,
			when, "a patience of 1s"},
		{"below 0", func(patience, serviceTime time.Duration, multiple float64) (time.Duration, bool) {
			return lab.Seconds((patience - serviceTime).Seconds() / (multiple - 1)), multiple > 1
		}, nil, when, "at 1.05x, with work of 1.50013s, a patience of 1s, the collapse is predicted after -10.00 s; it was seen after 0.00 s"},
		{"up to twice the capacity", func(patience, serviceTime time.Duration, multiple float64) (time.Duration, bool) {
			return after(patience, serviceTime, min(multiple, 2))
		}, nil, when, "at 5x"},
		{"just below the capacity", func(patience, serviceTime time.Duration, multiple float64) (time.Duration, bool) {
			due, ok := after(patience, serviceTime, multiple)
			return due, ok || multiple == 0.99
		}, nil, below, "at 0.99x a collapse is predicted: true"},
		{"at the capacity", func(patience, serviceTime time.Duration, multiple float64) (time.Duration, bool) {
			due, ok := after(patience, serviceTime, multiple)
			return due, ok || multiple == 1
		}, nil, below, "at 1x a collapse is predicted: true"},
		{"at any load", func(patience, serviceTime time.Duration, multiple float64) (time.Duration, bool) {
			due, _ := after(patience, serviceTime, multiple)
			return due, true
		}, nil, below, "at 0.5x a collapse is predicted: true"},
		{"none is missed", after, func(_, _, _ time.Duration) float64 { return 1 }, short, "misses loads of up to 1x"},
		{"too few", after, func(patience, serviceTime, test time.Duration) float64 {
			return 1 + 0.9*(patience-serviceTime).Seconds()/test.Seconds()
		}, short, "false"},
		{"too many", after, func(patience, serviceTime, test time.Duration) float64 {
			return 1 + 1.1*(patience-serviceTime).Seconds()/test.Seconds()
		}, short, "true"},
	} {
		t.Run(c.name, func(t *testing.T) { wantBroken(t, sweep(c.after, c.unseen), c.rule, c.words) })
	}
}
