//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is what this process has used so far, and false if it cannot be read.
func processorTime() (time.Duration, bool) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
