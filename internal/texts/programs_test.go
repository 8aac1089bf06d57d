package texts_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// programs are the compiled programs of the repository, which are asked for their
// flags and never do anything else here.
type programs struct {
	root string
	dir  string // has program steps/03-collapse in a file of that name
}

func buildPrograms(t *testing.T, root string) programs {
	t.Helper()
	p := programs{root, t.TempDir()}
	sources, err := filepath.Glob(filepath.Join(root, "steps", "*", "*.go"))
	require.NoError(t, err)
	for _, file := range sources { // lets go test see what this depends on: no stale result
		_, err := os.Stat(file)
		require.NoError(t, err)
	}
	goTool(t, root, "build", "-o", filepath.Join(p.dir, "steps")+string(filepath.Separator), "./steps/...")
	return p
}

// goTool runs the go command in dir and returns what it prints.
func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// run runs the program of a package with args and -h behind them. A flag that is not
// known, or does not take its value, is an error before -h is seen. If the last flag
// wants a value it gets -h, and the second -h keeps the program from starting.
func (p programs) run(name string, args ...string) (help string, err error) {
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	if info, err := os.Stat(file); err != nil || info.IsDir() { // none of the steps
		build := exec.Command("go", "build", "-o", file, ".")
		build.Dir = filepath.Join(p.root, filepath.FromSlash(name))
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("there is no program %s: %s", name, out)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, file, append(args, "-h", "-h")...)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// accept returns nil if the program takes these arguments. One of another module is
// not built: this one does not need what that one needs.
func (p programs) accept(name string, args ...string) error {
	dir := filepath.Join(p.root, filepath.FromSlash(name))
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		_, err := os.Stat(filepath.Join(dir, "main.go"))
		return err
	}
	help, err := p.run(name, args...)
	if err != nil {
		return err
	}
	return allKnown(args, flagsIn(help), name) // a program may look for -h first
}

var helpFlag = regexp.MustCompile(`(?m)^\s+(-[\w-]+)`)

// flagsIn are the flags that a help lists.
func flagsIn(help string) []string {
	flags := []string{"-h"}
	for _, m := range helpFlag.FindAllStringSubmatch(help, -1) {
		flags = append(flags, m[1])
	}
	return flags
}

// allKnown returns an error for the first flag among the words that is not known.
func allKnown(words, known []string, where string) error {
	for _, word := range words {
		name, _, _ := strings.Cut(word, "=")
		if flagWord.MatchString(name) && !slices.Contains(known, name) {
			return fmt.Errorf("there is no flag %s in %s", name, where)
		}
	}
	return nil
}

// modes are what makes a step a program with other flags.
var modes = map[string][][]string{
	"steps/06-http":  {{"serve"}},
	"steps/09-sweep": {{"serve"}, {"-hold=1s"}, {"-tune"}, {"-far"}, {"-url=http://127.0.0.1:1"}, {"-from=file"}},
}

var flagWord = regexp.MustCompile(`^-[A-Za-z]`)

// definedFlag is a line of Go that defines a flag.
var definedFlag = regexp.MustCompile(`(?m)^.*flags?\.\w+\("([\w-]+)"`)

// flags finds the flags that stand alone in a text. In that of a step they are those of
// the step, in all its modes, and elsewhere those of any step and of go test; and in
// that of another module, which is not built here, what its program defines.
func (r *repository) flags(text, code string) error {
	steps, err := fs.Glob(r.files, "steps/[0-9]*")
	if err != nil {
		return err
	}
	known := slices.Clone(r.testFlags)
	if dir := path.Dir(text); slices.Contains(steps, dir) {
		steps, known = []string{dir}, nil
	}
	if path.Dir(text) != "." {
		program, err := fs.ReadFile(r.files, path.Join(path.Dir(text), "main.go"))
		if _, noModule := fs.Stat(r.files, path.Join(path.Dir(text), "go.mod")); err == nil && noModule == nil {
			for _, m := range definedFlag.FindAllSubmatch(program, -1) {
				known = append(known, "-"+string(m[1]))
			}
		}
	}
	for _, step := range steps {
		for _, mode := range append(modes[step], nil) {
			help, err := r.programs.run(step, mode...)
			if err != nil {
				return err
			}
			known = append(known, flagsIn(help)...)
		}
	}
	return allKnown(commandLine(code), known, strings.Join(steps, ", "))
}
