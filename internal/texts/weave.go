package texts

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Weave returns what the text of that name in the repository should be. An error
// names the line of the marker.
func Weave(repo fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(repo, name)
	if err != nil {
		return "", err
	}
	w := weaver{repo, path.Dir(name), strings.Split(string(text), "\n")}
	var woven []string
	for i := 0; i < len(w.lines); {
		part, next, err := w.part(i)
		if err != nil {
			return "", fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		woven = append(woven, part...)
		i = next
	}
	return strings.Join(woven, "\n"), nil
}

type weaver struct {
	repo  fs.FS
	dir   string // of the text
	lines []string
}

// kinds are what a marker may ask for.
var kinds = map[string]struct {
	fence string // of the block that shows it, or "" for a list
	quote func(w weaver, what string) ([]string, error)
}{
	"golden": {"text", weaver.golden},
	"source": {"go", weaver.source},
	"checks": {"", weaver.checks},
}

// part returns the lines, woven, of what begins at line i, and where the next begins.
func (w weaver) part(i int) (lines []string, next int, err error) {
	if _, ok := fence(w.lines[i]); ok {
		end := closing(w.lines, i)
		if end == len(w.lines) {
			return nil, 0, errors.New("the block is not closed: want ``` on a line of its own")
		}
		return w.lines[i : end+1], end + 1, nil
	}
	comment, ok := marker(w.lines[i])
	if !ok {
		return w.lines[i : i+1], i + 1, nil
	}
	if comment == KeepsRunning {
		_, _, err := w.block(i, "sh")
		return w.lines[i : i+1], i + 1, err
	}
	kind, what, _ := strings.Cut(comment, ": ")
	k, ok := kinds[kind]
	if !ok {
		return nil, 0, fmt.Errorf("unknown marker %q: want %q, or one that begins with %q, %q or %q",
			comment, KeepsRunning, "golden: ", "source: ", "checks: ")
	}
	begin, end, err := w.block(i, k.fence)
	if err != nil {
		return nil, 0, err
	}
	quoted, err := k.quote(w, what)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", comment, err)
	}
	return slices.Concat(w.lines[i:begin], quoted, w.lines[end:end+1]), end + 1, nil
}

// block returns the bounds of the lines that the marker at line i is about.
func (w weaver) block(i int, kind string) (begin, end int, err error) {
	if kind == "" {
		return w.list(i)
	}
	if i+1 == len(w.lines) || strings.TrimSpace(w.lines[i+1]) != "```"+kind {
		return 0, 0, fmt.Errorf("nothing to weave into: want ```%s on the next line", kind)
	}
	end = closing(w.lines, i+1)
	if end == len(w.lines) {
		return 0, 0, errors.New("the block is not closed: want ``` on a line of its own")
	}
	return i + 2, end, nil
}

// list is block for a list. It ends at the first line that is none, lest a lost end
// cost the text below it.
func (w weaver) list(i int) (begin, end int, err error) {
	end = i + 1
	for end < len(w.lines) && (w.lines[end] == "" || strings.HasPrefix(w.lines[end], "- ")) {
		end++
	}
	if end == len(w.lines) || w.lines[end] != "<!-- end -->" {
		return 0, 0, fmt.Errorf("nothing to weave into: want <!-- end --> after the marker and its list, not %q",
			strings.Join(w.lines[end:min(end+1, len(w.lines))], ""))
	}
	return i + 1, end, nil
}

func (w weaver) read(file string) ([]byte, error) { return fs.ReadFile(w.repo, path.Join(w.dir, file)) }
