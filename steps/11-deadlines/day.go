package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/sheddinglab/lab"
)

// A day is a crowd, and the service that it meets.
type day struct {
	name, about string
	crowd       crowd
	slots       int
	serviceTime func(begin time.Duration) time.Duration
	slowAfter   time.Duration // 0 if the work always takes the same
}

// slowdown is the day of step 5.
func (o options) slowdown() *day {
	return &day{
		name:  "slowdown",
		about: fmt.Sprintf("%gx the capacity, and work of %v after %v", *o.slowMultiple, o.slow(), *o.slowAfter),
		crowd: newCrowd(o, *o.slowMultiple), slots: o.Slots, slowAfter: *o.slowAfter,
		serviceTime: func(begin time.Duration) time.Duration {
			if begin < *o.slowAfter {
				return o.ServiceTime
			}
			return o.slow()
		},
	}
}

func (o options) overload() *day {
	return &day{
		name:  "overload",
		about: fmt.Sprintf("%gx the capacity", *o.multiple),
		crowd: newCrowd(o, *o.multiple), slots: o.Slots,
		serviceTime: lab.Constant(o.ServiceTime),
	}
}

// trials are a sweep of the wait limit, and then the gate: without a wait limit, and
// with one.
func (d *day) trials(o options) (trials []trial) {
	// As many places as the most patient client would wait for, in all of them.
	limits := lab.Limits{Slots: o.Slots, MaxWaiting: lab.LittlesLaw(o.Capacity, o.ClientTimeout)}
	wait := func(works float64) string {
		limits.MaxWait = lab.Seconds(works * o.ServiceTime.Seconds()).Round(time.Millisecond)
		return fmt.Sprintf("wait %v", limits.MaxWait)
	}
	for _, works := range []float64{0, 0.5, 1, 2, 4, 8} {
		trials = append(trials, trial{wait(works), limits, false, d})
	}
	short := "+ " + wait(2)
	withLimit := limits
	limits.MaxWait = lab.NoLimit
	return append(trials, trial{"deadlines", limits, true, d}, trial{short, withLimit, true, d})
}

// served says of each request whether an all-knowing line would have answered it in
// time: one of the same order that knows how long each client waits, and how long the
// work will take. It lets in exactly those that it will answer in time.
func (d *day) served(r result) []bool {
	order := make([]int, len(r.samples))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(r.reached[a], r.reached[b]) })
	free := make([]time.Duration, d.slots) // when each slot will be
	served := make([]bool, len(r.samples))
	for _, i := range order {
		if r.samples[i].Outcome == lab.NotSent {
			continue
		}
		slot := slices.Index(free, slices.Min(free))
		begin := max(free[slot], r.reached[i])
		end := begin + d.serviceTime(begin)
		if end < d.crowd.load.Due(i)+d.crowd.load.PatienceOf(i) {
			free[slot], served[i] = end, true
		}
	}
	return served
}

// refused counts whom the all-knowing line serves, and who of them was not served in r.
func (d *day) refused(r result) (refused, served int) {
	for i, ok := range d.served(r) {
		if ok {
			served++
			if r.samples[i].Outcome != lab.OK {
				refused++
			}
		}
	}
	return refused, served
}

// foreseeable counts the wasted work of r but for that which began when nobody could
// know yet that the service had slowed down: before the first slow work had ended.
func (d *day) foreseeable(r result) (n int) {
	slow := func(began time.Duration) bool { return d.slowAfter > 0 && began >= d.slowAfter }
	known := time.Duration(math.MaxInt64)
	for _, began := range r.began {
		if slow(began) {
			known = min(known, began+d.serviceTime(began))
		}
	}
	for i, s := range r.samples {
		if s.Done && s.Outcome != lab.OK && !(slow(r.began[i]) && r.began[i] < known) {
			n++
		}
	}
	return n
}
