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

// gone waits until the process group of a leader that has ended is empty. It kills
// what is left after grace, and then returns false.
func gone(leader *exec.Cmd) bool {
	for began := time.Now(); syscall.Kill(-leader.Process.Pid, 0) == nil; time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > grace {
			syscall.Kill(-leader.Process.Pid, syscall.SIGKILL)
			return false
		}
	}
	return true
}
