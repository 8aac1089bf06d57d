package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// endedIn runs a step that does nothing, with its directory in dir.
func endedIn(t *testing.T, ctx context.Context, dir, mode string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	step := NewStep(4, "name", "why?")
	step.Mode(mode)
	require.NoError(t, step.Begin(append([]string{"-out", dir}, args...), &out, &problems))
	step.Row(map[string]any{"line": []int{1, 2, 3}, "empty": []int{}, "words": []string{"1", "2"}, "half": []float64{0.5, -1e-9}})
	step.Add("it works", true, "yes", "yes")
	step.KeyFigure("%d of 2", 1)
	if ctx.Err() == nil {
		require.NoError(t, step.End(ctx, "rest"))
	} else {
		require.ErrorIs(t, step.End(ctx, "rest"), ErrInterrupted)
	}
	return out.String(), problems.String()
}

// The document that -json prints is kept, with and without -json.
func TestDocumentKept(t *testing.T) {
	for _, c := range []struct{ mode, file string }{{"", "04-name.json"}, {"far", "04-name-far.json"}} {
		dir := filepath.Join(t.TempDir(), "new")
		printed, stderr := endedIn(t, t.Context(), dir, c.mode, "-json")
		assert.Empty(t, stderr)
		kept, err := os.ReadFile(filepath.Join(dir, c.file))
		require.NoError(t, err)
		assert.Equal(t, printed, string(kept))

		text, _ := endedIn(t, t.Context(), dir, c.mode)
		assert.Contains(t, text, "\nfigure:  1 of 2\n")
		again, err := os.ReadFile(filepath.Join(dir, c.file))
		require.NoError(t, err)
		assert.Equal(t, printed, string(again))
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, entries, 1, "nothing else is left behind")
	}
}

func TestDocumentHasNumbersOnOneLine(t *testing.T) {
	printed, _ := endedIn(t, t.Context(), t.TempDir(), "", "-json")
	assert.Contains(t, printed, `"line": [1, 2, 3]`)
	assert.Contains(t, printed, `"empty": []`)
	assert.Contains(t, printed, `"half": [0.5, -1e-9]`)
	assert.Contains(t, printed, "\"words\": [\n")
	var d document
	require.NoError(t, json.Unmarshal([]byte(printed), &d))
	assert.Equal(t, "1 of 2", d.KeyFigure)
}

// What cannot get its name is not left under another.
func TestKeepFails(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "name")
	require.NoError(t, os.MkdirAll(filepath.Join(name, "full"), 0o700))
	require.Error(t, keep(name, []byte("text")))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

// A run that cannot be kept is told in full all the same.
func TestDocumentNotKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	stdout, stderr := endedIn(t, t.Context(), file, "")
	assert.Contains(t, stdout, "verdict: holds\n")
	assert.Contains(t, stderr, "04-name: the report will not show this run, which could not be kept")
}

// Half a run has no figure to remember.
func TestDocumentCutShort(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	text, _ := endedIn(t, ctx, dir, "")
	assert.NotContains(t, text, "figure:")
	kept, err := os.ReadFile(filepath.Join(dir, "04-name.json"))
	require.NoError(t, err)
	assert.Contains(t, string(kept), `"complete": false`)
	assert.NotContains(t, string(kept), "key_figure")
}
