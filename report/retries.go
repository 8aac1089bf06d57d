package main

import (
	"fmt"

	"gonum.org/v1/plot/plotter"
)

// drawRetries is the picture of step 7: the attempts at the door under each policy.
func drawRetries(d *Document) (*chart, error) {
	type policy struct {
		Policy   string   `json:"policy"`
		Attempts []amount `json:"attempts_by_100ms"`
	}
	policies, err := rows[policy](d)
	if err != nil {
		return nil, err
	}
	c := &chart{title: "Attempts at the door, by policy", xAxis: "seconds since the start", oneY: true}
	for _, p := range policies {
		attempts := panel{yAxis: fmt.Sprintf("%s: attempts in each 100 ms", p.Policy)}
		if len(p.Attempts) > 4000 {
			return nil, fmt.Errorf("attempts in %d intervals, want at most 4000 for a picture", len(p.Attempts))
		}
		points := steps(p.Attempts, sampleEvery)
		attempts.add(curve{"", points, outlined})
		if capacity := d.number("capacity_rps") * sampleEvery; capacity > 0 && len(points) > 0 {
			attempts.add(curve{"capacity", plotter.XYs{{X: 0, Y: capacity}, {X: points[len(points)-1].X, Y: capacity}}, level})
		}
		c.add(attempts)
	}
	if len(c.panels) == 0 {
		return nil, errOlder("attempts_by_100ms")
	}
	return c, nil
}
