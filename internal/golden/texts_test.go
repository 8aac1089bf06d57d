package golden

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An output block in a text is marked with the golden it shows, and may name
// the words with which the part it shows begins and ends.
var block = regexp.MustCompile("(<!-- golden: ([^ ,]+)(?:, from \"(.+)\" to \"(.+)\")? -->\n```text\n)(?s:.*?)(```\n)")

func TestTextsShowGoldens(t *testing.T) {
	for _, name := range texts(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		woven := block.ReplaceAllStringFunc(string(text), func(b string) string {
			m := block.FindStringSubmatch(b)
			golden, err := os.ReadFile(filepath.Join(filepath.Dir(name), m[2]))
			require.NoError(t, err)
			return m[1] + part(t, string(golden), m[3], m[4]) + m[5]
		})
		require.Regexp(t, block, string(text), name)
		if *update {
			require.NoError(t, os.WriteFile(name, []byte(woven), 0o644))
			continue
		}
		assert.Equal(t, woven, string(text), "%s: go test ./internal/golden -update weaves the goldens in again", name)
	}
}

// texts are the files for readers.
func texts(t *testing.T) []string {
	t.Helper()
	root := filepath.Join(packageDir, "..", "..")
	names, err := filepath.Glob(filepath.Join(root, "steps", "*", "README.md"))
	require.NoError(t, err)
	return append(names, filepath.Join(root, "README.md"))
}

// part is text from the first line that begins with from to the one that ends
// with to, or all of it.
func part(t *testing.T, text, from, to string) string {
	t.Helper()
	if from == "" {
		return text
	}
	begin := strings.Index(text, "\n"+from)
	require.GreaterOrEqual(t, begin, 0, from)
	text = text[begin+1:]
	end := strings.Index(text, to+"\n")
	require.GreaterOrEqual(t, end, 0, to)
	return text[:end+len(to)+1]
}

// Everything in the repository that the texts link to is there.
func TestTextsLinks(t *testing.T) {
	for _, name := range texts(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`\]\(([^):#]+)(#[^)]*)?\)`).FindAllSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(name), string(m[1])))
			assert.NoError(t, err, name)
		}
	}
}
