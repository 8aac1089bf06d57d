package broken

import (
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// RateOfArrivals counts finished requests per second.
//
// In a busy time that is what the service can do. In a quiet time it is what comes,
// and a burst meets a service that believes itself to be slow.
func RateOfArrivals(l lab.Limits) (labtest.Controller, error) {
	return assembleDeadlines(l, func(p *deadlineParts) {
		var first time.Time
		var finished int
		p.sample = func(_, began time.Time) time.Duration {
			if finished == 0 {
				first = began
			}
			finished++
			return time.Since(began)
		}
		p.wait = func() time.Duration {
			perRequest := time.Since(first) / time.Duration(max(1, finished)) // MISTAKE: idle time is in it
			return perRequest * time.Duration(p.Controller.Stats().Waiting)
		}
	})
}
