//go:build unix

package procs

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// There are two ways to look, and both see the same.
func TestRunning(t *testing.T) {
	ways := map[string]func() ([]process, error){"the first way": all}
	if _, err := exec.LookPath("ps"); err == nil {
		ways["with ps"] = withPs
	}
	cmd := exec.Command("sh", "-c", "sleep 60 & wait")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, cmd.Start())
	await := func(want int) {
		t.Helper()
		for way, list := range ways {
			assert.Eventually(t, func() bool {
				l, err := list()
				return err == nil && running(l, cmd.Process.Pid) == want
			}, 20*time.Second, 10*time.Millisecond, "%s: %d", way, want)
		}
	}
	await(2)
	require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	await(0) // the shell is a zombie now
	n, err := Running(cmd.Process.Pid)
	assert.NoError(t, err)
	assert.Zero(t, n)
	assert.Error(t, cmd.Wait())
}
