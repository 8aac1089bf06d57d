package texts_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/sheddinglab/internal/texts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Everything in the repository that the texts link to is there, headings included.
func TestLinks(t *testing.T) {
	repo := os.DirFS("../..")
	names, err := texts.Names(repo)
	require.NoError(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(repo, name)
		require.NoError(t, err)
		for _, fault := range linkFaults(repo, name, string(text)) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

func TestLinkFaults(t *testing.T) {
	repo := fstest.MapFS{
		"lab/doc.go": {},
		"README.md":  {Data: []byte("# Go home\n\n## A `lab`, 1.5 of it\n\n## Twice\n\n## Twice\n\n```sh\n# no heading\n```\n")},
	}
	for _, tt := range []struct{ text, want string }{
		{"[a](../lab/doc.go), [b](../lab),\n[c\nd](../README.md#go-home) [e](https://a.test/b#c)", ""},
		{"[a](../README.md#a-lab-15-of-it) [b](../README.md#twice-1)", ""},
		{"# My own\n\n[a](#my-own)", ""},
		{"```text\n[a](gone.go)\n```", ""},
		{"[a](lab/doc.go)", "lab/doc.go: there is no such file"},
		{"[a](../README.md#go-away)", "../README.md#go-away: there is no such heading"},
		{"[a](../README.md#no-heading)", "../README.md#no-heading: there is no such heading"},
		{"[a](../README.md#twice-2)", "../README.md#twice-2: there is no such heading"},
		{"# My own\n\n[a](#your-own)", "#your-own: there is no such heading"},
		{"[a]: gone.go", "gone.go: there is no such file"},
	} {
		got := linkFaults(repo, "steps/README.md", tt.text)
		assert.Equal(t, tt.want, strings.Join(got, "\n"), tt.text)
	}
}

var link = regexp.MustCompile(`(?:\]\(|\]: )([^\s)]+)`)

// linkFaults are the links in a text that lead nowhere in the repository.
func linkFaults(repo fs.FS, name, text string) (faults []string) {
	for _, m := range link.FindAllStringSubmatch(prose(text), -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		file, anchor, _ := strings.Cut(m[1], "#")
		target := []byte(text)
		if file != "" {
			file = path.Join(path.Dir(name), file)
			if _, err := fs.Stat(repo, file); err != nil {
				faults = append(faults, fmt.Sprintf("%s: there is no such file", m[1]))
				continue
			}
			target, _ = fs.ReadFile(repo, file) // nothing if it is a directory
		}
		if anchor != "" && !anchors(string(target))[anchor] {
			faults = append(faults, fmt.Sprintf("%s: there is no such heading", m[1]))
		}
	}
	return faults
}

var (
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noAnchor = regexp.MustCompile(`[^\p{L}\p{N}\- _]`)
)

// anchors are the names of the headings of a text, as GitHub makes them.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(prose(text), -1) {
		base := strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		name := base
		for n := 1; names[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		names[name] = true
	}
	return names
}
