package main

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot/plotter"
)

// sampleEvery is the time in seconds from one reading of a step to the next. The
// first is in the middle of the first interval.
const sampleEvery = 0.1

// sampled are readings over time. Of a long run it takes the highest of several
// neighbours, so that a picture has no more points than it has room for.
func sampled(readings []amount) plotter.XYs {
	const most = 400
	width := 1 + (len(readings)-1)/most
	var points plotter.XYs
	for i := 0; i < len(readings); i += width {
		top := i
		for j := i; j < min(i+width, len(readings)); j++ {
			if readings[j] > readings[top] {
				top = j
			}
		}
		points = append(points, plotter.XY{X: sampleEvery * (float64(top) + 0.5), Y: float64(readings[top])})
	}
	return points
}

// steps are counts of intervals, as a line that is level in each of them.
func steps(counts []amount, width float64) plotter.XYs {
	var points plotter.XYs
	for i, n := range counts {
		points = append(points,
			plotter.XY{X: width * float64(i), Y: float64(n)},
			plotter.XY{X: width * float64(i+1), Y: float64(n)})
	}
	return points
}

// A second counts the requests that were due in one second of a run.
type second struct {
	Second  *amount `json:"second"`
	Arrived *amount `json:"arrived"`
	OK      *amount `json:"ok"`
}

var errSeconds = errors.New("by_second is not a list of seconds, arrived and ok, one for each second")

// columns are the arrived and the answered of each second.
func columns(seconds []second) (arrived, ok []amount, err error) {
	const most = 4000
	if len(seconds) > most {
		return nil, nil, fmt.Errorf("a run of %d seconds, want at most %d for a picture", len(seconds), most)
	}
	for i, s := range seconds {
		if s.Second == nil || s.Arrived == nil || s.OK == nil || int(*s.Second) != i {
			return nil, nil, errSeconds
		}
		arrived, ok = append(arrived, *s.Arrived), append(ok, *s.OK)
	}
	return arrived, ok, nil
}
