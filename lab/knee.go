package lab

import (
	"cmp"
	"slices"
)

// A Point is one load of a sweep and what came of it, in requests per second.
type Point struct{ Offered, Goodput float64 }

// A Shape is what a sweep shows of a service that gets more than its capacity.
type Shape string

const (
	Plateau  Shape = "plateau"     // the goodput stays near the capacity
	Slope    Shape = "slope"       // it falls, and at least half of the capacity is left
	Cliff    Shape = "cliff"       // it falls to less than half of the capacity
	TooLow   Shape = "short"       // it falls short of loads that are below the capacity
	Storing  Shape = "storing"     // it is above the capacity: some of it is yet to be paid for
	Untested Shape = "no overload" // no load was above the capacity
)

// What a goodput is called clearly below and clearly above, as shares.
const (
	kneeBelow    = 0.9
	storingAbove = 1.15
	overloadFrom = 1.1
)

// Falls reports whether the goodput of p is clearly below what a service with
// this capacity can do with its load: all of it, or the capacity.
func (p Point) Falls(capacity float64) bool {
	return p.Goodput < kneeBelow*min(p.Offered, capacity)
}

// Stores reports whether the goodput of p is clearly above the capacity. Then the
// service has put off more than it has done: answers came in time that could only
// come when the load was over.
func (p Point) Stores(capacity float64) bool { return p.Goodput > storingAbove*capacity }

// FindKnee returns the shape of a sweep, and the point at which the goodput falls
// for the first time: the lowest load that [Point.Falls]. The point is zero for
// the shapes without a fall. The order of points does not matter.
func FindKnee(capacity float64, points []Point) (Shape, Point) {
	points = slices.SortedFunc(slices.Values(points), func(a, b Point) int { return cmp.Compare(a.Offered, b.Offered) })
	i := slices.IndexFunc(points, func(p Point) bool { return p.Falls(capacity) })
	if i < 0 {
		return shapeWithoutKnee(capacity, points), Point{}
	}
	least := points[i].Goodput
	for _, p := range points[i:] {
		least = min(least, p.Goodput)
	}
	switch {
	case points[i].Offered < kneeBelow*capacity:
		return TooLow, points[i]
	case least < capacity/2:
		return Cliff, points[i]
	}
	return Slope, points[i]
}

func shapeWithoutKnee(capacity float64, points []Point) Shape {
	if len(points) == 0 || points[len(points)-1].Offered < overloadFrom*capacity {
		return Untested
	}
	if slices.ContainsFunc(points, func(p Point) bool { return p.Stores(capacity) }) {
		return Storing
	}
	return Plateau
}
