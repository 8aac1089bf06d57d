package lab

import "time"

// WatchSleeps sleeps for a millisecond again and again until it is asked, and then
// says how late the sleeps ended: what a run has to say about the machine when it has
// no sends that could be late.
func WatchSleeps() (late func() (p99, worst Millis)) {
	asked, answer := make(chan struct{}), make(chan []time.Duration)
	go func() {
		var lates []time.Duration
		for {
			begin := time.Now()
			select {
			case <-time.After(time.Millisecond):
				lates = append(lates, time.Since(begin)-time.Millisecond)
			case <-asked:
				answer <- lates
				return
			}
		}
	}()
	return func() (p99, worst Millis) {
		close(asked)
		lates := <-answer
		if len(lates) == 0 {
			return 0, 0
		}
		return percentile(lates, 99), percentile(lates, 100)
	}
}
