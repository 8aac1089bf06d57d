package lab

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// In virtual time no sleep ends late, however long the run.
func TestWatchSleeps(t *testing.T) {
	for _, d := range []time.Duration{0, time.Second + 500*time.Microsecond} {
		synctest.Test(t, func(t *testing.T) {
			late := WatchSleeps()
			time.Sleep(d)
			p99, worst := late()
			assert.Zero(t, p99)
			assert.Zero(t, worst)
		})
	}
}
