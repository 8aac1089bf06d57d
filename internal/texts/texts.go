package texts

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Names are the files of the repository that are for readers, in order.
func Names(repo fs.FS) ([]string, error) {
	names := []string{}
	for _, pattern := range []string{
		"README.md", "steps/*/README.md", "exercises/README.md", "exercises/*/README.md", "bench/README.md",
	} {
		found, err := fs.Glob(repo, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

// KeepsRunning is the marker of a block whose command does not end by itself.
const KeepsRunning = "keeps running"

// A Block is a fenced block of code in a text.
type Block struct {
	Kind   string   // what follows the fence, such as sh
	Marker string   // the comment on the line above it, or ""
	Line   int      // the line of the first of Lines, counted from 1
	Lines  []string // without the fences
}

// Blocks are the fenced blocks of a text. One without a closing fence reaches to the
// end of the text.
func Blocks(text string) []Block {
	var blocks []Block
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		kind, ok := fence(lines[i])
		if !ok {
			continue
		}
		b := Block{Kind: kind, Line: i + 2}
		if i > 0 {
			b.Marker, _ = marker(lines[i-1])
		}
		end := closing(lines, i)
		b.Lines = lines[i+1 : end]
		blocks = append(blocks, b)
		i = end
	}
	return blocks
}

// fence returns what follows the fence, if line begins or ends a block.
func fence(line string) (kind string, ok bool) {
	return strings.CutPrefix(strings.TrimSpace(line), "```")
}

// closing returns the index of the fence that ends the block begun at lines[open], or
// the number of lines if there is none.
func closing(lines []string, open int) int {
	n := slices.IndexFunc(lines[open+1:], func(line string) bool { return strings.TrimSpace(line) == "```" })
	if n < 0 {
		return len(lines)
	}
	return open + 1 + n
}

var commentLine = regexp.MustCompile(`^<!-- (.+) -->$`)

// marker returns the comment that a line consists of.
func marker(line string) (comment string, ok bool) {
	m := commentLine.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return m[1], true
}
