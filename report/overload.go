package main

import "gonum.org/v1/plot/plotter"

// A trial is a row of the steps that send a load to a service.
type trial struct {
	Policy   string   `json:"policy"`
	BySecond []second `json:"by_second"`
	Line     []amount `json:"line"`
	Multiple *amount  `json:"multiple"`
	Steady   *amount  `json:"steady_goodput_rps"`
}

// drawOverload is the picture of steps 3, 4 and 5: what came and what was answered
// in time, second by second, and below it the line at the same instants.
func drawOverload(d *Document) (*chart, error) {
	runs, err := rows[trial](d)
	if err != nil {
		return nil, err
	}
	c := &chart{title: "Answers in time, and the line", xAxis: "seconds since the start"}
	answered := panel{yAxis: "answered in time, of the requests due in each second"}
	line := panel{yAxis: "requests in line"}
	alone := len(runs) == 1
	if alone {
		answered.yAxis = "requests, by the second in which they were due"
	}
	for i, r := range runs {
		arrived, ok, err := columns(r.BySecond)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			answered.add(curve{"arrived", steps(arrived, 1), load})
			answered.add(curve{"capacity", capacityOver(d, float64(len(arrived))), level})
		}
		if alone {
			answered.add(curve{"answered in time", steps(ok, 1), looks(i)})
			line.add(curve{"", sampled(r.Line), looks(i)})
			break
		}
		answered.add(curve{r.Policy, steps(ok, 1), looks(i)})
		line.add(curve{r.Policy, sampled(r.Line), looks(i)})
	}
	c.add(answered)
	c.add(line)
	if len(c.panels) == 0 {
		return nil, errNothing
	}
	return c, nil
}

// capacityOver is the capacity in each second, which drops where the service slows down.
func capacityOver(d *Document, end float64) plotter.XYs {
	capacity := d.number("capacity_rps")
	if capacity == 0 || end == 0 {
		return nil
	}
	slowAfter, factor := d.number("slow_after_s"), d.number("slow_factor")
	if factor == 0 || slowAfter >= end {
		return plotter.XYs{{X: 0, Y: capacity}, {X: end, Y: capacity}}
	}
	slow := min(capacity/factor, maxAmount)
	return plotter.XYs{{X: 0, Y: capacity}, {X: slowAfter, Y: capacity}, {X: slowAfter, Y: slow}, {X: end, Y: slow}}
}
