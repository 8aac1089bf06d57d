package exercises

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "example.com/sheddinglab/exercises/check" // what go test runs below depends on it
	"example.com/sheddinglab/lab"
)

// Every exercise, as a reader does it: begun, it fails for the reason that its README
// shows; with the solution in the place of the gap, it passes.
func TestTheWayOfAReader(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds each exercise twice")
	}
	work := scratch(t)
	for _, e := range All() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, e.Begin(work))
			output, err := goTest(t, filepath.Join(work, e.Name))
			assert.Error(t, err, "with its gap it passes")
			assertShows(t, output, firstFailure(t, e))

			name, code := e.Solution()
			require.NoError(t, os.WriteFile(filepath.Join(work, e.Name, path.Base(name)), []byte(code), 0o644))
			output, err = goTest(t, filepath.Join(work, e.Name))
			assert.NoError(t, err, output)
		})
	}
}

// scratch is a directory inside of the module that git and ./... do not see.
func scratch(t *testing.T) string {
	t.Helper()
	out, err := filepath.Abs(filepath.Join("..", "out"))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(out, 0o755))
	dir, err := os.MkdirTemp(out, "exercises-")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	return dir
}

func goTest(t *testing.T, dir string) (output string, err error) {
	t.Helper()
	all, err := exec.CommandContext(t.Context(), "go", "test", dir).CombinedOutput()
	return string(all), err
}

var block = regexp.MustCompile("(?s)```text\n(.*?)```\n")

// firstFailure returns the lines of the block in which a README shows how the
// exercise fails as it is given.
func firstFailure(t *testing.T, e Exercise) []string {
	t.Helper()
	blocks := block.FindAllSubmatch(e.read(path.Join(e.Name, "README.md")), -1)
	require.Len(t, blocks, 1)
	return strings.Split(strings.TrimSpace(string(blocks[0][1])), "\n")
}

// assertShows fails t unless the output has the lines, one right after the other. For
// [...] it may have any number of lines.
func assertShows(t *testing.T, output string, lines []string) {
	t.Helper()
	var pattern strings.Builder
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "[...]" {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		// In the output of go test a line may begin with the place of the failure.
		pattern.WriteString(`.*\Q` + line + `\E\n`)
	}
	assert.Regexp(t, pattern.String(), output, "README.md shows another failure")
}

func TestBeginLeavesWorkAlone(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	e, err := Find("3")
	require.NoError(t, err)
	require.NoError(t, e.Begin(work))
	var names []string
	for _, name := range []string{"README.md", "gate.go", "gate_test.go"} {
		names = append(names, filepath.Join(work, e.Name, name))
	}
	all, err := filepath.Glob(filepath.Join(work, e.Name, "*"))
	require.NoError(t, err)
	assert.Equal(t, names, all)

	require.NoError(t, os.WriteFile(names[1], []byte("package mine"), 0o644))
	require.NoError(t, os.Remove(names[2]))
	err = e.Begin(work)
	assertUsage(t, err, "work/03-collapse is there already, and stays as it is; to begin again, rename or delete it")
	mine, err := os.ReadFile(names[1])
	require.NoError(t, err)
	assert.Equal(t, "package mine", string(mine))
	assert.NoFileExists(t, names[2])
}

// On a disk that is full, say.
func TestNeverHalf(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	full := errors.New("no space left on device")
	err := makeWhole(filepath.Join(work, "03-collapse"), func(dir string) error {
		assert.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o644))
		return full
	})
	assert.ErrorIs(t, err, full)
	left, err := os.ReadDir(work)
	assert.NoError(t, err)
	assert.Empty(t, left)

	e, err := Find("3")
	require.NoError(t, err)
	assert.NoError(t, e.Begin(work), "the next time there is room")
	made, err := os.ReadDir(work)
	assert.NoError(t, err)
	assert.Len(t, made, 1)
}

// Exercise 5 says that the rest of its controller is that of exercise 4, solved; and
// what has no gap in exercise 4 has the answer of exercise 5.
func TestExercise5IsExercise4Solved(t *testing.T) {
	four, five := "04-bounded-line/solution/", "05-slowdown/solution/"
	for _, name := range []string{"controller.go", "line.go", "wait.go"} {
		assert.Equal(t, string(Exercise{}.read(four+name)), string(Exercise{}.read(five+name)), name)
	}
	assert.Equal(t, string(Exercise{}.read(four+"line.go")), string(Exercise{}.read("05-slowdown/given/line.go")))
}

func TestOtherSolutions(t *testing.T) {
	for _, e := range All() {
		var want []string
		if e.Number == 3 {
			want = []string{"exercises/03-collapse/solution-atomic/gate.go", "exercises/03-collapse/solution-cond/gate.go"}
		}
		assert.Equal(t, want, e.OtherSolutions(), e.Name)
	}
}

func TestHintsComeInOrder(t *testing.T) {
	work := t.TempDir()
	for _, e := range All() {
		_, _, err := e.Hint(work)
		assertUsage(t, err, "exercise "+e.Name[1:2]+" has not been begun: make work-"+e.Name[1:2]+" begins it")
		require.NoError(t, e.Begin(work))
		for _, want := range []int{1, 2, 3, 3, 3} {
			hint, n, err := e.Hint(work)
			require.NoError(t, err)
			assert.Equal(t, want, n)
			if n < 3 {
				assert.Equal(t, string(e.read(e.hintFile(n))), hint)
			}
		}
		hint, _, err := e.Hint(work)
		assert.NoError(t, err)
		assert.Empty(t, hint, "there is no fourth one")
	}
}

// Whatever stands in the file in which the hints are counted, there is an answer.
func TestHintsAfterAccidents(t *testing.T) {
	e, err := Find("4")
	require.NoError(t, err)
	for content, want := range map[string]int{"": 1, "x\n": 1, "-7\n": 1, "2": 3, "99\n": 3, "99999999999999999999": 3} {
		work := t.TempDir()
		require.NoError(t, e.Begin(work))
		require.NoError(t, os.WriteFile(filepath.Join(work, e.Name, progress), []byte(content), 0o644))
		_, n, err := e.Hint(work)
		assert.NoError(t, err)
		assert.Equal(t, want, n, "%q", content)
	}
}

func TestFind(t *testing.T) {
	for _, number := range []string{"3", "03", "9"} {
		e, err := Find(number)
		assert.NoError(t, err)
		assert.True(t, strings.HasPrefix(e.Name, "0"+strings.TrimPrefix(number, "0")+"-"), "%s: %s", number, e.Name)
	}
	for _, number := range []string{"2", "10", "0", "-3", "x", ""} {
		_, err := Find(number)
		assertUsage(t, err, "there is no exercise "+number+"; there is one for each of the steps 3 to 9")
	}
}

func assertUsage(t *testing.T, err error, text string) {
	t.Helper()
	assert.EqualError(t, err, text)
	status, said := lab.ExitStatus(err)
	assert.Equal(t, 2, status)
	assert.False(t, said)
}

// Each exercise belongs to a step, and has one file with a gap, which is marked.
func TestEachHasOneGap(t *testing.T) {
	require.Len(t, All(), 7)
	for _, e := range All() {
		assert.DirExists(t, filepath.Join("..", "steps", e.Name))
		solved, code := e.Solution()
		assert.NotContains(t, code, "GAP", solved)
		given, err := fs.Glob(files, e.Name+"/given/*")
		require.NoError(t, err)
		for _, name := range given {
			solution := path.Join(e.Name, "solution", path.Base(name))
			if path.Join("exercises", solution) == solved {
				assert.Contains(t, string(e.read(name)), "// GAP", name)
				continue
			}
			assert.Equal(t, string(e.read(solution)), string(e.read(name)), "%s has no gap", name)
			assert.NotContains(t, string(e.read(name)), "GAP", name)
		}
	}
}

// The links of a README work from the reader's copy too, which lies as deep.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)]+)\)`)
	for _, e := range All() {
		links := link.FindAllSubmatch(e.read(path.Join(e.Name, "README.md")), -1)
		assert.NotEmpty(t, links)
		for _, m := range links {
			assert.True(t, strings.HasPrefix(string(m[1]), "../../"), "%s", m[1])
			assert.FileExists(t, filepath.Join(e.Name, filepath.FromSlash(string(m[1]))))
		}
	}
}

func TestHintsFitOnAScreen(t *testing.T) {
	for _, e := range All() {
		for n := range Hints {
			for line := range strings.Lines(string(e.read(e.hintFile(n + 1)))) {
				assert.Regexp(t, `^[ -~]{0,80}\n$`, line, e.Name)
			}
		}
	}
}
