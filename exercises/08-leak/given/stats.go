package controller

import (
	"errors"

	"example.com/sheddinglab/lab"
)

// count adds one to the counter of the outcome err.
func (c *Controller) count(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	shed, isShed := errors.AsType[*lab.Overloaded](err)
	switch {
	case err == nil:
		c.stats.Admitted++
	case isShed && shed.Reason == lab.LineFull:
		c.stats.ShedLineFull++
	case isShed:
		c.stats.ShedWaitedTooLong++
	default:
		c.stats.Gone++
	}
}

// Stats returns the counters as they are now.
func (c *Controller) Stats() lab.Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Waiting = len(c.line)
	s.Arrived = s.Waiting + s.Admitted + s.ShedLineFull + s.ShedWaitedTooLong + s.Gone
	return s
}
