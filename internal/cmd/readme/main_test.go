//go:build unix

package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"example.com/sheddinglab/internal/procs"
	"example.com/sheddinglab/lab"
)

// Started with the argument serve, the program of these tests is a server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		lab.Main(func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			s := lab.NewServer("a server for the tests")
			if err := s.Parse(args[1:], stdout); err != nil {
				return err
			}
			return s.Serve(ctx, http.NotFoundHandler(), nil)
		})
	}
	goleak.VerifyTestMain(m)
}

// playText plays the commands of a text in an empty directory and returns what was
// written, and the directory.
func playText(ctx context.Context, t *testing.T, lines ...string) (output, dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	commands, err := parse(text(lines...))
	require.NoError(t, err)
	var stdout bytes.Buffer
	err = play(ctx, dir, commands, &stdout)
	return stdout.String(), dir, err
}

func TestPlay(t *testing.T) {
	t.Parallel()
	output, dir, err := playText(t.Context(), t, "~~~sh",
		"echo one >order", "cd /", "echo two >>order # here again", "echo 'verdict: inconclusive'; exit 3", "echo three >>order", "~~~")
	require.NoError(t, err)
	assert.Equal(t, `
== README.md:2: echo one >order

== README.md:3: cd /

== README.md:4: echo two >>order

== README.md:5: echo 'verdict: inconclusive'; exit 3
verdict: inconclusive
== inconclusive on this machine, which is no fault

== README.md:6: echo three >>order
`, output)
	order, err := os.ReadFile(filepath.Join(dir, "order"))
	require.NoError(t, err)
	assert.Equal(t, "one\ntwo\nthree\n", string(order))
}

func TestPlayStopsAtFault(t *testing.T) {
	t.Parallel()
	output, _, err := playText(t.Context(), t, "~~~sh", "echo wrong >&2; exit 7", "echo two", "~~~")
	assert.EqualError(t, err, "README.md:2: echo wrong >&2; exit 7: exit status 7; its last lines:\n  wrong")
	assert.NotContains(t, output, "two")
}

func TestPlayTriesClaimsAgain(t *testing.T) {
	t.Parallel()
	const step = "echo >>tries; [ $(wc -l <tries) -gt %d ] || { echo verdict: does not hold; exit 1; }"
	output, _, err := playText(t.Context(), t, "~~~sh", strings.ReplaceAll(step, "%d", "2"), "~~~")
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(output, "== a claim failed, try "), output)

	output, _, err = playText(t.Context(), t, "~~~sh", strings.ReplaceAll(step, "%d", "3"), "~~~")
	require.ErrorContains(t, err, "exit status 1; its last lines:\n  verdict: does not hold")
	assert.Equal(t, 3, strings.Count(output, "== a claim failed, try "), output)
}

// freeAddress is an address of this machine at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

func TestPlayServer(t *testing.T) {
	t.Setenv("SERVER", os.Args[0])
	address := freeAddress(t)
	lines := []string{
		"<!-- keeps running -->", "~~~sh", `"$SERVER" serve -addr ` + address + "    # comment", "~~~",
		"~~~sh", "curl -s -o /dev/null -w '%{http_code}' http://" + address + "/", "~~~",
	}
	output, _, err := playText(t.Context(), t, lines...)
	require.NoError(t, err)
	asked, ended, found := strings.Cut(output, "\n== the end of README.md:3: ")
	require.True(t, found, output)
	assert.Contains(t, asked, "404")
	assert.Contains(t, ended, "stopping")
	assert.False(t, listens(address), "it is gone")

	l, err := net.Listen("tcp", address)
	require.NoError(t, err)
	defer l.Close()
	output, _, err = playText(t.Context(), t, lines...)
	require.NoError(t, err)
	asked, _, _ = strings.Cut(output, "\n== the end of README.md:3: ")
	assert.Contains(t, asked, "== something else listens on "+address+": from here on it is 127.0.0.1:")
	assert.Contains(t, asked, "404")
}

// A reader who follows the README could not start the second one either.
func TestPlayTwoServers(t *testing.T) {
	t.Setenv("SERVER", os.Args[0])
	address := freeAddress(t)
	server := []string{"<!-- keeps running -->", "~~~sh", `"$SERVER" serve -addr ` + address, "~~~"}
	_, _, err := playText(t.Context(), t, append(server, server...)...)
	assert.ErrorContains(t, err, "another command listens on "+address)
}

func TestPlayServerEndsByItself(t *testing.T) {
	t.Setenv("SERVER", os.Args[0])
	address := freeAddress(t)
	_, _, err := playText(t.Context(), t, "<!-- keeps running -->", "~~~sh", `"$SERVER" serve -slots 0 -addr `+address, "~~~")
	assert.ErrorContains(t, err, "it ended by itself: exit status 2; its last lines:\n")
	assert.ErrorContains(t, err, `invalid value "0" for flag -slots`)
}

// Ctrl-C ends the command that runs, with all that it has started, and the server.
func TestInterrupt(t *testing.T) {
	t.Setenv("SERVER", os.Args[0])
	address := freeAddress(t)
	dir := t.TempDir()
	commands, err := parse(text("<!-- keeps running -->", "~~~sh", `"$SERVER" serve -addr `+address, "~~~",
		"~~~sh", "(echo $$ >group; echo begun; exec sleep 60) | cat", "echo two", "~~~"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	output := &interrupter{on: "begun\n", interrupt: cancel}
	assert.ErrorIs(t, play(ctx, dir, commands, output), lab.ErrInterrupted)
	assert.NotContains(t, output.String(), "echo two")
	assert.False(t, listens(address), "the server is gone")
	written, err := os.ReadFile(filepath.Join(dir, "group"))
	require.NoError(t, err)
	group, err := strconv.Atoi(strings.TrimSpace(string(written)))
	require.NoError(t, err)
	n, err := procs.Running(group)
	require.NoError(t, err)
	assert.Zero(t, n, "the sleep is gone")
}

// An interrupter calls interrupt when it is written a certain text.
type interrupter struct {
	bytes.Buffer
	on        string
	interrupt func()
}

func (i *interrupter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), i.on) {
		i.interrupt()
	}
	return i.Buffer.Write(p)
}

// runIn commits a README.md to a new repository, runs the program there and returns
// what it wrote. Nothing may be left in the directory for temporary files.
func runIn(t *testing.T, readme string, args ...string) (output string, err error) {
	t.Helper()
	dir, temporary := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", temporary)
	t.Setenv("GIT_DIR", "/nowhere") // as in a hook of another repository
	require.NoError(t, os.WriteFile("README.md", []byte(readme), 0o644))
	require.NoError(t, os.WriteFile(".gitignore", []byte("/out/\n"), 0o644))
	for _, arguments := range [][]string{
		{"init", "--quiet"},
		{"add", "."},
		{"-c", "user.name=n", "-c", "user.email=e@test", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "First"},
	} {
		_, err := git(t.Context(), dir, arguments...)
		require.NoError(t, err)
	}
	require.NoError(t, os.WriteFile("README.md", []byte(text("~~~sh", "make working tree", "~~~")), 0o644))
	var stdout, stderr bytes.Buffer
	err = run(t.Context(), args, &stdout, &stderr)
	assert.Empty(t, stderr.String())
	left, readErr := os.ReadDir(temporary)
	require.NoError(t, readErr)
	assert.Empty(t, left, "left behind")
	return stdout.String(), err
}

func TestRun(t *testing.T) {
	output, err := runIn(t, text("~~~sh", "mkdir out; echo >out/made", "~~~"))
	require.NoError(t, err)
	assert.Regexp(t, `^The commands of README.md, in a clone of [0-9a-f]+ First\n`, output)
	assert.Contains(t, output, "\n== README.md:2: mkdir out; echo >out/made\n")
	assert.Contains(t, output, "\nAll ran, and nothing in the clone has changed.\n")

	_, err = runIn(t, text("~~~sh", "echo >made", "~~~"))
	assert.EqualError(t, err, "the commands of README.md changed the clone:\n?? made")

	_, err = runIn(t, text("~~~sh", "exit 5", "~~~"))
	assert.ErrorContains(t, err, "exit status 5")

	output, err = runIn(t, "", "-list")
	require.NoError(t, err)
	assert.Equal(t, "README.md:2: make working tree\n", output)
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-lits"}, {"file"}} {
		err := run(t.Context(), args, io.Discard, io.Discard)
		status, said := lab.ExitStatus(err)
		assert.Equal(t, 2, status)
		assert.False(t, said)
		assert.ErrorContains(t, err, "-h lists the flags")
	}
	assert.ErrorIs(t, run(t.Context(), []string{"-h"}, io.Discard, io.Discard), flag.ErrHelp)
}

func TestNeedsTools(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, tool := range []string{"git", "bash", "make", "curl"} {
		var stderr bytes.Buffer
		err := run(t.Context(), nil, io.Discard, &stderr)
		status, said := lab.ExitStatus(err)
		assert.Equal(t, 3, status)
		assert.True(t, said)
		assert.Equal(t, "readme needs "+tool+", and there is none in PATH\n", stderr.String())
		require.NoError(t, os.WriteFile(filepath.Join(dir, tool), []byte("#!/bin/sh\nexit 9\n"), 0o755))
	}
}
