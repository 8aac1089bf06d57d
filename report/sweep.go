package main

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"
)

// drawSweep is the picture of step 9: goodput over load, a curve for each policy. A
// sweep of one service has one curve, and calls its loads policies.
func drawSweep(d *Document, oneService bool) (*chart, error) {
	runs, err := rows[trial](d)
	if err != nil {
		return nil, err
	}
	c := &chart{title: "Goodput, by load", xAxis: "offered load, in multiples of the capacity"}
	goodput := panel{yAxis: "goodput: answers in time, per second"}
	var policies []string
	points := map[string]plotter.XYs{}
	for _, r := range runs {
		if r.Multiple == nil || r.Steady == nil {
			continue // cut short before the warm-up was over
		}
		if oneService {
			r.Policy = ""
		}
		if !slices.Contains(policies, r.Policy) {
			policies = append(policies, r.Policy)
		}
		points[r.Policy] = append(points[r.Policy], plotter.XY{X: float64(*r.Multiple), Y: float64(*r.Steady)})
	}
	for i, policy := range policies {
		look := looks(i)
		look.marked = true
		goodput.add(curve{policy, points[policy], look})
	}
	if len(goodput.curves) == 0 {
		return nil, errNothing
	}
	c.add(goodput)
	return c, nil
}

// drawHold is the picture of step 9 with -hold: a panel for each load.
func drawHold(d *Document) (*chart, error) {
	runs, err := rows[trial](d)
	if err != nil {
		return nil, err
	}
	c := &chart{title: "Answers in time, just above the capacity", xAxis: "seconds since the start", oneY: true}
	for _, r := range runs {
		arrived, ok, err := columns(r.BySecond)
		if err != nil {
			return nil, err
		}
		if r.Multiple == nil {
			return nil, fmt.Errorf("a row of %q without a multiple", r.Policy)
		}
		p := panel{yAxis: fmt.Sprintf("%gx: answered in time, of those due in each second", float64(*r.Multiple))}
		p.add(curve{"arrived", steps(arrived, 1), load})
		p.add(curve{"answered", steps(ok, 1), looks(0)})
		c.add(p)
	}
	if len(c.panels) == 0 {
		return nil, errNothing
	}
	return c, nil
}
