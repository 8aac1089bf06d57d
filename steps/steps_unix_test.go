//go:build unix

// Package steps tests the step programs as processes, on the wall clock. Nothing
// here depends on how fast the machine is.
package steps

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"example.com/sheddinglab/internal/procs"
)

// programs is the directory of the compiled steps.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "steps"); err != nil {
		log.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", programs, "./03-collapse", "./06-http").CombinedOutput(); err != nil {
		log.Fatalf("%v\n%s", err, out)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		os.RemoveAll(programs)
		os.Exit(status)
	}))
}

// program is the file of a compiled step.
func program(step string) string { return filepath.Join(programs, step) }

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
	t.Parallel()
	binary := program("03-collapse")
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.Command(binary, "-out", t.TempDir(), "-capacity=80", "-duration=60s", "-client-timeout=500ms")
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
	t.Parallel()
	binary := program("03-collapse")
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

// A process leads a process group, as a command that is typed at a terminal does.
// What it starts is in the group too.
type process struct {
	*exec.Cmd
	lines  *bufio.Reader // of its standard output
	stderr bytes.Buffer
}

// start runs a program that is gone when the test ends, with all that it started,
// also if the test fails or hangs.
func start(t *testing.T, program *exec.Cmd) *process {
	t.Helper()
	p := &process{Cmd: program}
	p.Stderr = &p.stderr
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := p.StdoutPipe()
	require.NoError(t, err)
	p.lines = bufio.NewReader(stdout)
	require.NoError(t, p.Start())
	killAll := func() { syscall.Kill(-p.Process.Pid, syscall.SIGKILL) }
	timer := time.AfterFunc(time.Minute, killAll)
	t.Cleanup(func() {
		timer.Stop()
		if p.ProcessState == nil || p.members(t) > 0 {
			killAll()
		}
		p.Wait()
	})
	return p
}

// members counts the processes of the group that still run.
func (p *process) members(t *testing.T) int {
	t.Helper()
	n, err := procs.Running(p.Process.Pid)
	require.NoError(t, err)
	return n
}

// awaitMembers waits until so many processes of the group run.
func (p *process) awaitMembers(t *testing.T, want int) {
	t.Helper()
	n := p.members(t)
	for began := time.Now(); n != want && time.Since(began) < 20*time.Second; n = p.members(t) {
		time.Sleep(20 * time.Millisecond)
	}
	require.Equal(t, want, n, "processes that run")
}

// end waits for the end of the process and returns the rest of its output and its
// exit status, which is -1 if a signal ended it.
func (p *process) end(t *testing.T) (rest string, status int) {
	t.Helper()
	all, err := io.ReadAll(p.lines)
	require.NoError(t, err)
	return string(all), exitStatus(t, p.Wait())
}

// Case S2: step 6 has a server in each of six processes, and however it ends, so do
// they. Their ports are free then: nobody else has them.
func TestHTTPStepLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	binary := program("06-http")
	for _, tt := range []struct {
		name   string
		to     int // -1 = every process of the group
		signal syscall.Signal
		status int
	}{
		{"Ctrl-C", -1, syscall.SIGINT, 130},
		{"TERM", 1, syscall.SIGTERM, 130},
		{"KILL", 1, syscall.SIGKILL, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, exec.Command(binary, "-out", t.TempDir(), "-capacity=80", "-duration=60s", "-client-timeout=200ms"))
			p.awaitMembers(t, 1+6)
			time.Sleep(200 * time.Millisecond) // so that there is something to print
			require.NoError(t, syscall.Kill(tt.to*p.Process.Pid, tt.signal))
			report, status := p.end(t)
			assert.Equal(t, tt.status, status)
			p.awaitMembers(t, 0)
			if tt.signal == syscall.SIGKILL {
				return
			}
			assert.Contains(t, report, "\nTimeoutHandler ", "the last row of the table")
			assert.Contains(t, report, "inconclusive because the run was cut short")
			assert.Empty(t, p.stderr.String())
			assert.NotRegexp(t, `[^\n -~]`, report, "plain text when piped")
		})
	}
}

// The server by itself, as one starts it to look at it with curl.
func TestServe(t *testing.T) {
	t.Parallel()
	binary := program("06-http")
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		p := start(t, exec.Command(binary, "serve", "-addr=127.0.0.1:0"))
		line, err := p.lines.ReadString('\n')
		require.NoError(t, err)
		address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on http://")
		require.True(t, ok, line)

		second := start(t, exec.Command(binary, "serve", "-addr="+address))
		printed, status := second.end(t)
		assert.Equal(t, 2, status, "exit status of a second server on the same port")
		assert.Empty(t, printed, "nothing is served")
		assert.Regexp(t, `^06-http: cannot listen on -addr `+address+`: .*address already in use\n$`, second.stderr.String())

		require.NoError(t, p.Process.Signal(signal))
		rest, status := p.end(t)
		assert.Zero(t, status, "exit status after %v", signal)
		assert.Equal(t, "stopping; the requests that are here have 10s\n", rest)
		assert.Empty(t, p.stderr.String())
		_, err = net.Dial("tcp", address)
		assert.Error(t, err, "its port is free")
	}
}

// go run dies of a signal without passing it on. What it started ends all the same.
func TestServeStartedByGoRun(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		p := start(t, exec.Command("go", "run", "./06-http", "serve", "-addr=127.0.0.1:0"))
		line, err := p.lines.ReadString('\n')
		require.NoError(t, err)
		address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on http://")
		require.True(t, ok, line)
		require.NoError(t, p.Process.Signal(signal))
		assert.Eventually(t, func() bool {
			connection, err := net.Dial("tcp", address)
			if err == nil {
				connection.Close()
			}
			return err != nil
		}, 10*time.Second, 50*time.Millisecond, "its port is free")
		p.end(t)
	}
}
