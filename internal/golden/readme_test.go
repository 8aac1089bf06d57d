package golden

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An output block in the README is marked with the golden it shows.
var block = regexp.MustCompile("(<!-- golden: (\\S+) -->\n```text\n)((?s:.*?))(```\n)")

func TestReadmeShowsGoldens(t *testing.T) {
	root := filepath.Join(packageDir, "..", "..")
	name := filepath.Join(root, "README.md")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	woven := block.ReplaceAllFunc(text, func(b []byte) []byte {
		m := block.FindSubmatch(b)
		golden, err := os.ReadFile(filepath.Join(root, string(m[2])))
		require.NoError(t, err)
		return []byte(string(m[1]) + string(golden) + string(m[4]))
	})
	require.Regexp(t, block, string(text))
	if *update {
		require.NoError(t, os.WriteFile(name, woven, 0o644))
		return
	}
	assert.Equal(t, string(woven), string(text), "go test ./internal/golden -update weaves the goldens in again")
}

// Everything in the repository that the README links to is there.
func TestReadmeLinks(t *testing.T) {
	root := filepath.Join(packageDir, "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllSubmatch(text, -1) {
		_, err := os.Stat(filepath.Join(root, string(m[1])))
		assert.NoError(t, err)
	}
}
