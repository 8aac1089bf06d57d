//go:build unix

package steps

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tryIt starts scripts/try_it.sh with a directory of its own for temporary files,
// which must be empty when it has ended.
func tryIt(t *testing.T, environment ...string) *process {
	t.Helper()
	dir := t.TempDir()
	script := exec.Command("../scripts/try_it.sh")
	script.Env = append(append(os.Environ(), "TMPDIR="+dir), environment...)
	p := start(t, script)
	t.Cleanup(func() {
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left, "temporary files left behind")
	})
	return p
}

// withoutCurl reports whether there is no curl here. Then the script must say so.
func withoutCurl(t *testing.T, p *process) bool {
	if _, err := exec.LookPath("curl"); err == nil {
		return false
	}
	_, status := p.end(t)
	assert.Equal(t, 3, status)
	assert.Equal(t, "try_it.sh needs curl, and there is none in PATH\n", p.stderr.String())
	return true
}

// The settings of whoever runs it are not those of the service it starts.
func TestTryIt(t *testing.T) {
	t.Parallel()
	p := tryIt(t, "MAX_WAITING=40", "SLOTS=nonsense", "ADDR=nowhere")
	if withoutCurl(t, p) {
		return
	}
	out, status := p.end(t)
	assert.Zero(t, status)
	assert.Empty(t, p.stderr.String())
	_, counts, _ := strings.Cut(out, "\n") // after the address
	assert.Equal(t, `   4 x HTTP/1.1 200 OK
  16 x HTTP/1.1 503 Service Unavailable
  16 x Retry-After: 1
  16 x {"error":"overloaded","reason":"line_full"}
   4 x {"result":"done"}
right: 4 were served, and 16 were told at once when to come back
`, counts)
	p.awaitMembers(t, 0)
}

// Ctrl-C in the middle ends the server and the clients too.
func TestTryItInterrupted(t *testing.T) {
	t.Parallel()
	p := tryIt(t)
	if withoutCurl(t, p) {
		return
	}
	line, err := p.lines.ReadString('\n')
	require.NoError(t, err)
	assert.Contains(t, line, "20 requests at the same moment to http://127.0.0.1:")
	require.NoError(t, syscall.Kill(-p.Process.Pid, syscall.SIGINT))
	rest, status := p.end(t)
	assert.Equal(t, 130, status)
	assert.Empty(t, rest, "no counts")
	p.awaitMembers(t, 0)
}

func TestTryItNeedsTools(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	require.NoError(t, err)
	dir := t.TempDir()
	for _, missing := range []string{"curl", "go"} {
		script := exec.Command(bash, "../scripts/try_it.sh")
		script.Env = []string{"PATH=" + dir}
		p := start(t, script)
		out, status := p.end(t)
		assert.Equal(t, 3, status)
		assert.Empty(t, out)
		assert.Equal(t, "try_it.sh needs "+missing+", and there is none in PATH\n", p.stderr.String())
		require.NoError(t, os.WriteFile(dir+"/"+missing, []byte("#!/bin/sh\n"), 0o755))
	}
}
