package main

// drawChannels is the picture of step 2: how full each channel was.
func drawChannels(d *Document) (*chart, error) {
	type channel struct {
		Channel string   `json:"channel"`
		Length  []amount `json:"length"`
	}
	channels, err := rows[channel](d)
	if err != nil {
		return nil, err
	}
	c := &chart{title: "The length of the channels", xAxis: "seconds since the start"}
	length := panel{yAxis: "items in the channel"}
	for i, ch := range channels {
		length.add(curve{ch.Channel, sampled(ch.Length), looks(i)})
	}
	c.add(length)
	if len(c.panels) == 0 {
		return nil, errOlder("length")
	}
	return c, nil
}
