package texts_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	commandWords = []string{"make", "go", "bash", "diff", "curl", "cd"}
	assignment   = regexp.MustCompile(`^[A-Z_]+=`)
	shellComment = regexp.MustCompile(`(^|\s)#.*`)
	shellWord    = regexp.MustCompile(`(?:"[^"]*"|'[^']*'|[^\s"'])+`)
)

// isCommand reports whether code in the prose is a command line.
func isCommand(code string) bool {
	words := commandLine(code)
	return len(words) > 0 && (slices.Contains(commandWords, words[0]) || strings.HasPrefix(words[0], "out/bin/"))
}

// commandLine splits a command into words, without assignments in front.
func commandLine(code string) []string {
	words := shellWord.FindAllString(code, -1)
	for i, word := range words {
		words[i] = strings.NewReplacer(`"`, "", `'`, "").Replace(word)
	}
	for len(words) > 1 && assignment.MatchString(words[0]) {
		words = words[1:]
	}
	return words
}

// command checks a line of shell, whose paths are as seen from the root.
func (r *repository) command(line string) error {
	line = shellComment.ReplaceAllString(line, "")
	dir := "."
	for part := range strings.SplitSeq(strings.ReplaceAll(line, "&&", ";"), ";") {
		words := commandLine(strings.TrimSuffix(strings.TrimSpace(part), "&"))
		if len(words) == 0 {
			continue
		}
		if err := r.simpleCommand(dir, words[0], words[1:]); err != nil {
			return err
		}
		if words[0] == "cd" {
			dir = path.Join(dir, words[1])
		}
	}
	return nil
}

func (r *repository) simpleCommand(dir, command string, args []string) error {
	operands := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-") })
	switch command {
	case "make":
		return r.makeCommand(args)
	case "go":
		return r.goCommand(dir, args)
	case "bash", "diff", "cd":
		if len(operands) == 0 {
			return fmt.Errorf("%s of nothing", command)
		}
		for _, file := range operands {
			if err := r.exists(dir, file); err != nil {
				return err
			}
		}
		return nil
	case "curl":
		for _, url := range operands {
			if err := servicePath(host.ReplaceAllString(url, "")); err != nil {
				return err
			}
		}
		return nil
	}
	if step, ok := strings.CutPrefix(command, "out/bin/"); ok {
		return r.programs.accept("steps/"+step, args...)
	}
	return fmt.Errorf("unknown command %s: fix it, or teach this test what it is", command)
}

func (r *repository) exists(dir, file string) error {
	name := path.Join(dir, file)
	if _, err := fs.Stat(r.files, name); err != nil && !r.made(name) {
		return fmt.Errorf("there is no %s", file)
	}
	return nil
}

// goCommand checks the packages that it names, and runs what go run would, with -h.
func (r *repository) goCommand(dir string, args []string) error {
	if len(args) == 0 || len(args) == 1 && args[0] == "run" { // the words as such
		return nil
	}
	if !slices.Contains([]string{"build", "doc", "generate", "mod", "run", "test", "tool", "vet"}, args[0]) {
		return fmt.Errorf("unknown go command %s", args[0])
	}
	for i, arg := range args {
		if strings.HasPrefix(arg, "example.com/") && !strings.HasPrefix(arg, r.module) {
			return fmt.Errorf("%s: this module is %s", arg, r.module)
		}
		if !strings.HasPrefix(arg, ".") {
			continue
		}
		pkg := strings.TrimSuffix(arg, "/...")
		if err := r.exists(dir, pkg); err != nil {
			return err
		}
		if args[0] == "run" {
			return r.programs.accept(path.Join(dir, pkg), args[i+1:]...)
		}
	}
	if args[0] == "run" {
		return errors.New("want a package of this repository, such as ./steps/03-collapse")
	}
	return nil
}
