//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/sheddinglab/internal/procs"
)

// grace is the time between an interrupt and the end of what does not heed it.
const grace = 20 * time.Second

// shell is bash with one line, in a process group of its own. The group is interrupted
// when ctx ends.
func shell(ctx context.Context, dir, line string, output io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "bash", "-c", line)
	cmd.Dir = dir
	cmd.Env = environment()
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = grace
	return cmd
}

// environment is that of this process, but for variables that lead git to another
// repository, as in a hook, and with messages in English, which judge reads.
func environment() []string {
	return append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }), "LC_ALL=C")
}

// gone waits until the process group of a leader that has ended is empty. What does
// not heed an interrupt within grace is killed, and then gone returns false.
func gone(leader *exec.Cmd) bool {
	if empties(leader, grace/2) {
		return true
	}
	syscall.Kill(-leader.Process.Pid, syscall.SIGINT) // a process that was just being made may have missed the first
	if empties(leader, grace/2) {
		return true
	}
	syscall.Kill(-leader.Process.Pid, syscall.SIGKILL)
	empties(leader, grace)
	return false
}

// empties waits until the process group is empty, or the time is over.
func empties(leader *exec.Cmd, d time.Duration) bool {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if n, err := procs.Running(leader.Process.Pid); err == nil && n == 0 {
			return true
		}
	}
	return false
}
