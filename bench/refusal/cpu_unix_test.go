//go:build unix

package refusal

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that this process has used so far. That of the
// load tool is not in it, if it is a process of its own.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
