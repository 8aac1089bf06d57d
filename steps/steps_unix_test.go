//go:build unix

// Package steps tests the step programs as processes, on the wall clock. Nothing
// here depends on how fast the machine is.
package steps

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// build compiles a step and returns the file.
func build(t *testing.T, step string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), step)
	out, err := exec.Command("go", "build", "-o", binary, "./"+step).CombinedOutput()
	require.NoError(t, err, string(out))
	return binary
}

func exitStatus(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	require.True(t, ok, "%v", err)
	return exit.ExitCode()
}

// Ctrl-C in the middle: what was measured is printed, marked as cut short, and
// the process is gone.
func TestInterrupt(t *testing.T) {
	binary := build(t, "03-collapse")
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.Command(binary, "-capacity=80", "-duration=60s", "-client-timeout=500ms")
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill() }) // if a require below fails
		defer time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() }).Stop()

		lines := bufio.NewReader(stdout)
		for line := ""; !strings.HasPrefix(line, "The line outgrows"); { // the last one before the run
			line, err = lines.ReadString('\n')
			require.NoError(t, err)
		}
		time.Sleep(200 * time.Millisecond) // so that there is something to print
		require.NoError(t, cmd.Process.Signal(signal))
		rest, err := io.ReadAll(lines)
		require.NoError(t, err)
		assert.Equal(t, 130, exitStatus(t, cmd.Wait()))

		assert.Contains(t, string(rest), "not sent")
		assert.Contains(t, string(rest), "inconclusive because the run was cut short")
		assert.Empty(t, stderr.String())
		assert.NotRegexp(t, `[^\n -~]`, string(rest), "plain text when piped")
	}
}

func TestUsage(t *testing.T) {
	binary := build(t, "03-collapse")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-slots", "0"}, 2, `03-collapse: invalid value "0" for flag -slots: want a whole number from 1 to 100000; -h lists the flags` + "\n"},
		{[]string{"-out", filepath.Join(t.TempDir(), "nothing")}, 2, "make step-1"},
		{[]string{"-h"}, 0, ""},
	} {
		cmd := exec.Command(binary, c.args...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		assert.Equal(t, c.status, exitStatus(t, cmd.Run()))
		assert.Contains(t, stderr.String(), c.want)
		if c.status != 0 {
			assert.Empty(t, stdout.String(), "nothing is measured")
			assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "one line: %s", stderr.String())
		}
	}
}
