package lab

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// programs are what this test binary is when its first argument names one.
var programs = map[string]func(ctx context.Context, args []string, stdout, stderr io.Writer) error{
	"serve":      serveProgram,
	"serve-late": serveLateProgram,
	"parent":     parentProgram,
}

// serveProgram is a server that answers every request with 200.
func serveProgram(ctx context.Context, args []string, stdout, _ io.Writer) error {
	s := NewServer("a server for the tests")
	if err := s.Parse(args[1:], stdout); err != nil {
		return err
	}
	return s.Serve(ctx, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), nil)
}

// serveLateProgram takes its time to start.
func serveLateProgram(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	time.Sleep(2 * time.Second)
	return serveProgram(ctx, args, stdout, stderr)
}

// parentProgram starts a child, prints its URL and process id, and waits to be killed.
func parentProgram(ctx context.Context, _ []string, stdout, _ io.Writer) error {
	c, err := StartChild(ctx, "serve", "-addr=127.0.0.1:0")
	if err != nil {
		return err
	}
	defer c.Stop()
	fmt.Fprintln(stdout, c.URL, c.cmd.Process.Pid)
	<-ctx.Done()
	return nil
}

// startChild starts a child that ends with the test, also with one that fails.
func startChild(t *testing.T, args ...string) *Child {
	t.Helper()
	c, err := StartChild(t.Context(), args...)
	require.NoError(t, err)
	t.Cleanup(c.Stop)
	return c
}

// statusOf asks for a URL on a connection of its own. An error is nobody listening.
func statusOf(url string) (int, error) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	answer, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// assertGone waits until nobody listens there any more.
func assertGone(t *testing.T, url string) {
	t.Helper()
	address := strings.TrimPrefix(url, "http://")
	began := time.Now()
	for {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		conn.Close()
		if took := time.Since(began); took > 20*time.Second {
			assert.Fail(t, "the server is still there", "%s accepts connections after %v, want none within 20s", url, took)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestChild(t *testing.T) {
	t.Parallel()
	c := startChild(t, "serve", "-addr=127.0.0.1:0")
	status, err := statusOf(c.URL)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, status)
	c.Stop()
	assert.True(t, c.cmd.ProcessState.Exited(), "ended by itself: %v", c.cmd.ProcessState)
	assert.Zero(t, c.cmd.ProcessState.ExitCode())
	_, err = statusOf(c.URL)
	assert.Error(t, err, "its port is free")
	c.Stop() // does no harm
	assert.Positive(t, c.CPUTime(), "the start alone takes some")
}

// Two children at once have a port each.
func TestTwoChildren(t *testing.T) {
	t.Parallel()
	a, b := startChild(t, "serve", "-addr=127.0.0.1:0"), startChild(t, "serve", "-addr=127.0.0.1:0")
	assert.NotEqual(t, a.URL, b.URL)
	a.Stop()
	status, err := statusOf(b.URL)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, status)
}

// The settings of a child are its arguments, and no variable of its parent's user.
func TestChildIgnoresTheEnvironment(t *testing.T) {
	t.Setenv("SLOTS", "none of your business")
	startChild(t, "serve", "-addr=127.0.0.1:0")
}

func TestChildThatFails(t *testing.T) {
	t.Parallel()
	_, err := StartChild(t.Context(), "serve", "-slots=0")
	assert.ErrorContains(t, err, "the server did not start: ")
	assert.ErrorContains(t, err, `invalid value "0" for flag -slots: want a whole number from 1 to 100000`)

	taken := httptest.NewServer(http.NotFoundHandler())
	defer taken.Close()
	_, err = StartChild(t.Context(), "serve", "-addr="+taken.Listener.Addr().String())
	assert.ErrorContains(t, err, "the server did not start: ")
	assert.ErrorContains(t, err, "cannot listen on -addr "+taken.Listener.Addr().String())
}

// Case S3: a slow start is waited for.
func TestChildThatStartsLate(t *testing.T) {
	t.Parallel()
	c := startChild(t, "serve-late", "-addr=127.0.0.1:0")
	status, err := statusOf(c.URL)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, status)
}

// Case S3: a server that answers 200 to everything is not taken for the child.
func TestForeignServerIsRefused(t *testing.T) {
	for name, handler := range map[string]http.Handler{
		"no token":      http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
		"another token": withToken("of another child", http.NotFoundHandler()),
	} {
		server := httptest.NewServer(handler)
		defer server.Close()
		err := (&Child{URL: server.URL}).identify(t.Context(), "token")
		assert.EqualError(t, err, "the server at "+server.URL+" is not the one that was started", name)
	}
	server := httptest.NewServer(withToken("token", http.NotFoundHandler()))
	server.Close()
	assert.Error(t, (&Child{URL: server.URL}).identify(t.Context(), "token"), "nobody listens")
}

// Case S2: a parent that is killed has no time to stop its child. The child notices.
func TestChildEndsWithAKilledParent(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	require.NoError(t, err)
	parent := exec.Command(program, "parent")
	stdout, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	kill := func() { parent.Process.Kill(); parent.Wait() }
	t.Cleanup(kill)
	defer time.AfterFunc(time.Minute, func() { parent.Process.Kill() }).Stop() // a parent that prints nothing

	var url string
	var pid int
	_, err = fmt.Fscan(bufio.NewReader(stdout), &url, &pid)
	require.NoError(t, err)
	status, err := statusOf(url)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	kill()
	assertGone(t, url)
	if t.Failed() {
		if child, err := os.FindProcess(pid); err == nil {
			child.Kill() // leave nothing behind
		}
	}
}
