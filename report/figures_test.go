package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func steplist(t *testing.T) []stepDir {
	t.Helper()
	list, err := stepDirs("../steps")
	require.NoError(t, err)
	require.Len(t, list, 12)
	return list
}

func TestReadmeFigures(t *testing.T) {
	const howTo = "cd report && go run . -figures"
	drawn := 0
	for _, step := range steplist(t) {
		t.Run(step.name, func(t *testing.T) {
			want, err := readmeFigure(step)
			require.NoError(t, err)
			got, err := os.ReadFile(figureFile(step))
			if want == "" {
				assert.ErrorIs(t, err, os.ErrNotExist, "this step has no picture")
				return
			}
			drawn++
			require.NoError(t, err, "to draw it: %s", howTo)
			svg := strings.ReplaceAll(string(got), "\r\n", "\n")
			assert.True(t, alike(want, svg), "%s is not what testdata/holds.json looks like; to draw it again: %s", figureFile(step), howTo)
			assertWellFormed(t, svg)
		})
	}
	assert.Equal(t, 10, drawn)
}

var number = regexp.MustCompile(`\d+(\.\d+)?`)

// alike compares all but the last digits of numbers, which are another processor's.
func alike(a, b string) bool {
	if number.ReplaceAllString(a, "0") != number.ReplaceAllString(b, "0") {
		return false
	}
	x, y := number.FindAllString(a, -1), number.FindAllString(b, -1)
	for i := range x {
		v, _ := strconv.ParseFloat(x[i], 64)
		w, _ := strconv.ParseFloat(y[i], 64)
		if v-w > 0.02 || w-v > 0.02 {
			return false
		}
	}
	return true
}

func TestAlike(t *testing.T) {
	assert.True(t, alike("M1.239,2 x", "M1.24,2 x"))
	assert.False(t, alike("M1.239,2 x", "M1.34,2 x"))
	assert.False(t, alike("M1.2,2 x", "M1.2,2 y"))
	assert.False(t, alike("M1", "M1 2"))
}

func TestWriteFigures(t *testing.T) {
	copied := t.TempDir()
	require.NoError(t, os.CopyFS(copied, os.DirFS("../steps")))
	steps, err := stepDirs(copied)
	require.NoError(t, err)
	for _, step := range steps {
		_ = os.Remove(figureFile(step))
	}
	var said strings.Builder
	require.NoError(t, writeFigures(steps, &said))
	assert.Equal(t, 10, strings.Count(said.String(), "figure.svg\n"))
	for _, step := range steps {
		want, err := readmeFigure(step)
		require.NoError(t, err)
		if want != "" {
			got, err := os.ReadFile(figureFile(step))
			require.NoError(t, err)
			assert.Equal(t, want, string(got))
		}
	}
}
