package texts_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/sheddinglab/internal/texts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const output = `Step 3

policy     ok
  no limits  152
peak line 4

the end 4
`

const code = `package p

import "fmt"

// A T is documented.
type T struct {
	n int // of something
}

const (
	one = 1
	two = 2
)

// Do does.
func (t *T) Do() {
	// why
	for range two {
		if t.n > 0 {
			fmt.Println()
		}
		t.n++
	}
	t.n--
}

func (t T) Get() int { return t.n } // quickly

func Do() {}
`

const document = `{"checks": [
	{"claim": "peak line", "measured": "4", "wanted": "at most 4", "verdict": "holds"},
	{"claim": "waste", "measured": "3", "wanted": "some", "verdict": "does not hold"},
	{"claim": "cliff", "measured": "at 2x", "wanted": "", "verdict": "found"}
]}`

// weave is Weave of a text that lies two directories deep.
func weave(text string) (string, error) {
	return texts.Weave(fstest.MapFS{
		"steps/3/README.md":     {Data: []byte(text)},
		"steps/3/out.txt":       {Data: []byte(output)},
		"steps/3/holds.json":    {Data: []byte(document)},
		"steps/3/nothing.json":  {Data: []byte(`{"checks": []}`)},
		"steps/3/no-document":   {Data: []byte("checks")},
		"lab/code.go":           {Data: []byte(code)},
		"lab/does-not-parse.go": {Data: []byte("func")},
	}, "steps/3/README.md")
}

func TestWeave(t *testing.T) {
	const source = "<!-- source: ../../lab/code.go"
	for _, tt := range []struct {
		name, marker, fence, want string
	}{
		{"all of an output", "<!-- golden: out.txt -->", "text", output},
		{"part of it", `<!-- golden: out.txt, from "policy" to "4" -->`, "text",
			"policy     ok\n  no limits  152\npeak line 4\n"},
		{"its first line", `<!-- golden: out.txt, from "Step" to "Step 3" -->`, "text", "Step 3\n"},
		{"a type, without its doc", source + " T -->", "go", "type T struct {\n\tn int // of something\n}\n"},
		{"in the order of the names", source + " Do T.Get two -->", "go",
			"func Do() {}\n\nfunc (t T) Get() int { return t.n } // quickly\n\nconst (\n\tone = 1\n\ttwo = 2\n)\n"},
		{"a method of a pointer, with the comment in it", source + " T.Do -->", "go",
			"func (t *T) Do() {\n\t// why\n\tfor range two {\n\t\tif t.n > 0 {\n\t\t\tfmt.Println()\n\t\t}\n\t\tt.n++\n\t}\n\tt.n--\n}\n"},
		{"lines, to the brace that matches", source + `, from "for range" to "}" -->`, "go",
			"for range two {\n\tif t.n > 0 {\n\t\tfmt.Println()\n\t}\n\tt.n++\n}\n"},
		{"one line", source + `, from "t.n++" to "++" -->`, "go", "t.n++\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := func(content string) string {
				return "above\n\n" + tt.marker + "\n```" + tt.fence + "\n" + content + "```\n\nbelow\n"
			}
			for _, old := range []string{"", "old\n\nold\n", tt.want} {
				got, err := weave(text(old))
				require.NoError(t, err)
				assert.Equal(t, text(tt.want), got)
			}
		})
	}
}

func TestWeaveList(t *testing.T) {
	text := func(list string) string {
		return "above\n\n<!-- checks: holds.json -->\n" + list + "<!-- end -->\n\nbelow"
	}
	for _, old := range []string{"", "- old\n\n- old\n"} {
		got, err := weave(text(old))
		require.NoError(t, err)
		assert.Equal(t, text("- peak line: want at most 4\n- waste: want some\n"), got)
	}
}

func TestWeaveLeavesAlone(t *testing.T) {
	for _, text := range []string{
		"",
		"no end of line",
		"<!-- keeps running -->\n```sh\nserve\n```\n",
		"in the text `<!-- golden: x -->` and\n\n    <!-- golden: x -->\n",
		"```text\n<!-- golden: no-such-file -->\n```\n",
	} {
		got, err := weave(text)
		require.NoError(t, err)
		assert.Equal(t, text, got)
	}
}

func TestWeaveFaults(t *testing.T) {
	block := func(marker, fence string) string { return "<!-- " + marker + " -->\n```" + fence + "\n```\n" }
	list := func(marker string) string { return "<!-- " + marker + " -->\n<!-- end -->\n" }
	for _, tt := range []struct{ text, want string }{
		{block("golden: gone.txt", "text"), "gone.txt: file does not exist"},
		{block(`golden: out.txt, from "nowhere" to "4"`, "text"), `no line begins with "nowhere"`},
		{block(`golden: out.txt, from "policy" to "nowhere"`, "text"), `no line from "policy" on ends with "nowhere"`},
		{block(`golden: out.txt, from "p" to "4"`, "text"), `lines 3 and 5 begin with "p"`},
		{block(`golden: out.txt, to "4"`, "text"), `want FILE or FILE, from "WORDS" to "WORDS"`},
		{block("source: ../../lab/gone.go Do", "go"), "lab/gone.go: file does not exist"},
		{block("source: ../../lab/code.go Undo", "go"), "nothing of the name Undo is declared"},
		{block("source: ../../lab/code.go T.Undo", "go"), "nothing of the name T.Undo is declared"},
		{block("source: ../../lab/code.go", "go"), "want FILE and names of declarations, or"},
		{block("source: ../../lab/does-not-parse.go Do", "go"), "expected"},
		{block(`source: ../../lab/code.go, from "t.n--" to "nowhere"`, "go"), `no line from "t.n--" on ends with "nowhere"`},
		{block(`source: ../../lab/code.go, from "for range" to "++"`, "go"), `no line from "for range" on ends with "++"`},
		{list("checks: gone.json"), "gone.json: file does not exist"},
		{list("checks: no-document"), "invalid character"},
		{list("checks: nothing.json"), "there are no claims in it"},
		{block("gloden: out.txt", "text"), `unknown marker "gloden: out.txt": want "keeps running"`},
		{"<!-- end -->", `unknown marker "end"`},
		{block("golden: out.txt", "sh"), "want ```text on the next line"},
		{"<!-- golden: out.txt -->\n\n```text\n```\n", "want ```text on the next line"},
		{"<!-- golden: out.txt -->", "want ```text on the next line"},
		{block("keeps running", "text"), "want ```sh on the next line"},
		{"<!-- golden: out.txt -->\n```text\n", "the block is not closed"},
		{"```sh\n", "the block is not closed"},
		{"<!-- checks: holds.json -->\n- old\n", "want <!-- end --> after the marker and its list"},
		{"<!-- checks: holds.json -->\n- old\n\nText.\n\n<!-- end -->\n", `and its list, not "Text."`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			_, err := weave("Above.\n\n" + tt.text)
			require.ErrorContains(t, err, tt.want)
			assert.ErrorContains(t, err, "steps/3/README.md:3: ")
		})
	}
	_, err := texts.Weave(fstest.MapFS{}, "README.md")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestBlocks(t *testing.T) {
	assert.Equal(t, []texts.Block{
		{Kind: "sh", Line: 4, Lines: []string{"make", "", "# done"}},
		{Kind: "sh", Marker: "keeps running", Line: 11, Lines: []string{"serve"}},
		{Kind: "", Line: 15, Lines: []string{"   in a list"}},
		{Kind: "go", Line: 18, Lines: []string{"not closed", ""}},
	}, texts.Blocks(strings.Join([]string{
		"text", "", "```sh", "make", "", "# done", "```", "",
		"<!-- keeps running -->", "```sh", "serve", "```",
		"- a list", "   ```", "   in a list", "   ```", "```go", "not closed", "",
	}, "\n")))
}

// Everything that is woven into the texts is what it is woven from.
func TestTextsAreWoven(t *testing.T) {
	repo := os.DirFS("../..")
	names, err := texts.Names(repo)
	require.NoError(t, err)
	require.Contains(t, names, "README.md")
	for _, name := range names {
		text, err := os.ReadFile("../../" + name)
		require.NoError(t, err)
		woven, err := texts.Weave(repo, name)
		require.NoError(t, err)
		assert.Equal(t, woven, string(text), "%s is out of date: make docs mends it", name)
	}
}
