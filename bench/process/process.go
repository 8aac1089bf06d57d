// Package process runs a part of a benchmark in a process of its own, so that its
// processor time and its memory are its own too.
package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A Usage is what a process has used up.
type Usage struct {
	CPU        time.Duration // its own, and the system's for it
	PeakMemory int           // bytes resident at once; 0 where the system does not say
}

// report is what a process prints.
type report struct {
	PeakMemory int `json:"peak_memory"`
	Result     any `json:"result"`
}

// Run starts this program again with args, which must make it call [Report], and
// stores what it reports in the value that result points to.
func Run(ctx context.Context, result any, args ...string) (Usage, error) {
	program, err := os.Executable()
	if err != nil {
		return Usage{}, err
	}
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return Usage{}, fmt.Errorf("%s: %w\n%s%s", strings.Join(args, " "), err, &stdout, &stderr)
	}
	r := report{Result: result}
	if err := json.NewDecoder(&stdout).Decode(&r); err != nil { // a test prints PASS after it
		return Usage{}, fmt.Errorf("%s: no report: %w", strings.Join(args, " "), err)
	}
	return Usage{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), r.PeakMemory}, nil
}

// Report prints result, and how much memory this process has taken so far.
func Report(w io.Writer, result any) error {
	return json.NewEncoder(w).Encode(report{peakMemory(), result})
}

// peakMemory is the most that was resident at once. Linux tells it in /proc. The
// Maxrss of getrusage would count in the parent, whose memory a process shares
// until it becomes a program of its own.
func peakMemory() int {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		var kB int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kB); n == 1 {
			return kB << 10
		}
	}
	return 0
}
