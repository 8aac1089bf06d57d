package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/sheddinglab/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const stale = "<!-- golden: out.txt -->\n```text\nold\n```\n"

// write puts a file into the directory.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "README.md", "Nothing to weave.\n")
	write(t, dir, "steps/01-a/README.md", stale)
	write(t, dir, "steps/01-a/out.txt", "new\n")
	for _, want := range []string{"woven anew: steps/01-a/README.md\n", ""} {
		var stdout bytes.Buffer
		require.NoError(t, run(t.Context(), []string{dir}, &stdout, io.Discard))
		assert.Equal(t, want, stdout.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "steps", "01-a", "README.md"))
	require.NoError(t, err)
	assert.Equal(t, "<!-- golden: out.txt -->\n```text\nnew\n```\n", string(text))
}

// A fault in the last text leaves the first as it is.
func TestRunWritesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "README.md", stale)
	write(t, dir, "out.txt", "new\n")
	write(t, dir, "steps/01-a/README.md", stale)
	err := run(t.Context(), []string{dir}, io.Discard, io.Discard)
	assert.ErrorContains(t, err, "steps/01-a/README.md:1: golden: out.txt: ")
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	assert.Equal(t, stale, string(text))
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}, {t.TempDir()}} {
		status, said := lab.ExitStatus(run(t.Context(), args, io.Discard, io.Discard))
		assert.Equal(t, 2, status)
		assert.False(t, said)
	}
}
