//go:build unix

package lab

import (
	"math"
	"syscall"
)

// MaxDescriptors returns how many files and connections this process may have open
// at once, as ulimit -n says.
func MaxDescriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || uint64(limit.Cur) > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(limit.Cur)
}
