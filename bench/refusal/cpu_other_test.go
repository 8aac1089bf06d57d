//go:build !unix

package refusal

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
