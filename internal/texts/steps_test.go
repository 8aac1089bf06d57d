package texts_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var mapRow = regexp.MustCompile(`(?m)^\| \[(\d+ .+?)\]\((.+?)\) \| (.+?) \|`)

// The map in README.md has a row for every step, and the question that the step asks.
func TestMapOfSteps(t *testing.T) {
	repo := os.DirFS("../..")
	text, err := fs.ReadFile(repo, "README.md")
	require.NoError(t, err)
	var got, want []string
	for _, m := range mapRow.FindAllStringSubmatch(string(text), -1) {
		got = append(got, strings.Join(m[1:], " | "))
	}
	for _, s := range steps(t, repo) {
		want = append(want, fmt.Sprintf("%d %s | %s/README.md | %s", s.Step, strings.ReplaceAll(s.Name, "-", " "), s.dir, s.Question))
	}
	assert.Equal(t, want, got, "the rows of README.md")
}

// The text of a step asks the question that its program asks, and shows what it prints
// and what it claims.
func TestTextsOfSteps(t *testing.T) {
	repo := os.DirFS("../..")
	for _, s := range steps(t, repo) {
		text, err := fs.ReadFile(repo, s.dir+"/README.md")
		require.NoError(t, err)
		asked := strings.Join(strings.Fields(prose(string(text))), " ")
		assert.Contains(t, asked, strings.ToUpper(s.Question[:1])+s.Question[1:], s.dir)
		assert.Contains(t, string(text), "\n<!-- golden: testdata/holds.txt -->\n", s.dir)
		assert.Contains(t, string(text), "\n<!-- checks: testdata/holds.json -->\n", s.dir)
	}
}

// A step is what the JSON document of a step says about it.
type step struct {
	dir      string
	Step     int
	Name     string
	Question string
}

// steps are all steps, in order.
func steps(t *testing.T, repo fs.FS) (all []step) {
	t.Helper()
	files, err := fs.Glob(repo, "steps/*/testdata/holds.json")
	require.NoError(t, err)
	for _, file := range files {
		document, err := fs.ReadFile(repo, file)
		require.NoError(t, err)
		s := step{dir: path.Dir(path.Dir(file))}
		require.NoError(t, json.Unmarshal(document, &s))
		all = append(all, s)
	}
	require.NotEmpty(t, all)
	return all
}
