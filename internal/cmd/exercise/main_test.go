package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// start changes to a directory somewhere in a repository, which is in a module of its
// own, and returns the repository's root.
func start(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	inside := filepath.Join(root, "report", "testdata")
	require.NoError(t, os.MkdirAll(inside, 0o755))
	for dir, module := range map[string]string{root: "example.com/sheddinglab", filepath.Dir(inside): "example.com/sheddinglab/report"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+module+"\n\ngo 1.26.0\n"), 0o644))
	}
	t.Chdir(inside)
	return root
}

// The go.mod of the repository is one that is found.
func TestRepository(t *testing.T) {
	want, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	got, err := repository()
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func exercise(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var stdout, stderr strings.Builder
	err := run(t.Context(), args, &stdout, &stderr)
	assert.Empty(t, stderr.String())
	return stdout.String(), err
}

func TestWorkHintSolve(t *testing.T) {
	root := start(t)
	output, err := exercise(t, "work", "04")
	require.NoError(t, err)
	assert.Equal(t, `Exercise 4 is in work/04-bounded-line: the task is in README.md, and the
gap in line.go, where it says GAP.

next:    go test ./work/04-bounded-line
         make hint-4
`, output)
	assert.FileExists(t, filepath.Join(root, "work", "04-bounded-line", "line.go"))

	for _, want := range []struct{ begin, end string }{
		{"Hint 1 of 3:\n\nThe test has", "next step?\n\n"},
		{"Hint 2 of 3:\n\nisFull holds", "at once.\n\n"},
		{"Hint 3 of 3:\n\nLock the", "not at all.\n\nThat was the last one; make solve-4 shows a solution.\n"},
		{"You have had all 3 hints; they are in exercises/04-bounded-line/hint-1.txt", "make solve-4 shows a solution.\n"},
	} {
		output, err = exercise(t, "hint", "4")
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(output, want.begin), output)
		assert.True(t, strings.HasSuffix(output, want.end), output)
	}

	output, err = exercise(t, "solve", "4")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(output, "package controller\n"), output)
	assert.True(t, strings.HasSuffix(output, `
This is exercises/04-bounded-line/solution/line.go.
What you have in work/04-bounded-line is as it was.
`), output)
	mine, err := os.ReadFile(filepath.Join(root, "work", "04-bounded-line", "line.go"))
	require.NoError(t, err)
	assert.Contains(t, string(mine), "GAP")
}

func TestSolveNamesTheOthers(t *testing.T) {
	start(t)
	output, err := exercise(t, "solve", "3")
	require.NoError(t, err)
	assert.Contains(t, output, "\nAnother one is exercises/03-collapse/solution-atomic/gate.go.\n")
	assert.Contains(t, output, "\nAnother one is exercises/03-collapse/solution-cond/gate.go.\n")
}

func TestUsage(t *testing.T) {
	start(t)
	_, err := exercise(t, "work", "5")
	require.NoError(t, err)
	for _, c := range []struct{ args, want string }{
		{"", usage},
		{"work", usage},
		{"play 3", usage},
		{"work 3 4", usage},
		{"work 2", "there is no exercise 2; there is one for each of the steps 3 to 9"},
		{"solve ten", "there is no exercise ten; there is one for each of the steps 3 to 9"},
		{"hint 3", "exercise 3 has not been begun: make work-3 begins it"},
		{"work 5", "work/05-slowdown is there already, and stays as it is; to begin again, rename or delete it"},
	} {
		output, err := exercise(t, strings.Fields(c.args)...)
		assert.EqualError(t, err, c.want)
		assert.Empty(t, output)
		status, _ := lab.ExitStatus(err)
		assert.Equal(t, 2, status, c.args)
	}
	output, err := exercise(t, "-h")
	assert.NoError(t, err)
	assert.Equal(t, usage+"\n", output)
}

func TestOutsideOfTheRepository(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("go.mod", []byte("module example.com/other\n"), 0o644))
	_, err := exercise(t, "work", "3")
	assert.ErrorContains(t, err, "there is no go.mod of example.com/sheddinglab in ")
	status, _ := lab.ExitStatus(err)
	assert.Equal(t, 2, status)
	assert.NoDirExists(t, filepath.Join(dir, "work"))
}
