package main

// drawLimits is the picture of step 12: the limits that find themselves, over time.
func drawLimits(d *Document) (*chart, error) {
	type run struct {
		Policy string   `json:"policy"`
		Limits []amount `json:"limits"` // none of a run whose limit was fixed
	}
	runs, err := rows[run](d)
	if err != nil {
		return nil, err
	}
	c := &chart{title: "The limit over time", xAxis: "seconds since the start", oneY: true}
	calm, hasty := panel{yAxis: "limit, from a low start and from a high one"}, panel{yAxis: "limit, with rounds that are too short"}
	for _, r := range runs {
		if len(r.Limits) == 0 {
			continue
		}
		if r.Policy == "hasty" {
			hasty.add(curve{"", sampled(r.Limits), outlined})
			continue
		}
		calm.add(curve{r.Policy, sampled(r.Limits), looks(len(calm.curves))})
	}
	c.add(calm)
	c.add(hasty)
	if len(c.panels) == 0 {
		return nil, errOlder("limits")
	}
	return c, nil
}
