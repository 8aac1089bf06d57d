package texts_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A makefile has targets, such as lab and step-%, and variables that it uses.
type makefile struct{ targets, variables []string }

var (
	rule     = regexp.MustCompile(`(?m)^([\w%-]+(?: [\w%-]+)*):(?:[^=]|$)`)
	variable = regexp.MustCompile(`\$\((\w+)\)`)
)

func readMakefile(t *testing.T, files fs.FS) (m makefile) {
	t.Helper()
	text, err := fs.ReadFile(files, "Makefile")
	require.NoError(t, err)
	for _, r := range rule.FindAllStringSubmatch(string(text), -1) {
		m.targets = append(m.targets, strings.Fields(r[1])...)
	}
	for _, v := range variable.FindAllStringSubmatch(string(text), -1) {
		m.variables = append(m.variables, v[1])
	}
	return m
}

// numbered is a target of a pattern rule: what to do, and the number of a step or N.
var numbered = regexp.MustCompile(`^(\w+)-(N|0?\d+)$`)

// makeCommand checks targets and variables, and hands ARGS to the step that gets them.
func (r *repository) makeCommand(args []string) error {
	var step, flags string
	for _, arg := range args {
		var err error
		if name, value, ok := strings.Cut(arg, "="); !ok {
			step, err = r.target(arg)
		} else if !slices.Contains(r.makefile.variables, name) {
			err = fmt.Errorf("the Makefile does not use %s", name)
		} else if name == "ARGS" {
			flags = value
		}
		if err != nil {
			return err
		}
	}
	switch {
	case flags == "":
		return nil
	case slices.Contains(args, "lab"): // every step gets those that it has
		return r.flags("Makefile", flags)
	case slices.Contains(args, "sweep"):
		return r.programs.accept("steps/09-sweep", strings.Fields("-url=http://127.0.0.1:1 "+flags)...)
	case step == "":
		return fmt.Errorf("there is no step that takes ARGS=%s", flags)
	}
	return r.programs.accept(step, strings.Fields(flags)...)
}

// target finds a target, and the step that it runs if it is step-3 or the like.
func (r *repository) target(name string) (step string, err error) {
	if slices.Contains(r.makefile.targets, name) {
		return "", nil
	}
	m := numbered.FindStringSubmatch(name)
	if m == nil || !slices.Contains(r.makefile.targets, m[1]+"-%") {
		return "", fmt.Errorf("there is no target %s in the Makefile", name)
	}
	if m[2] == "N" {
		return "", nil
	}
	dir := "exercises"
	if m[1] == "step" {
		dir = "steps"
	}
	pattern := fmt.Sprintf("%s/%02s-*", dir, m[2])
	found, err := fs.Glob(r.files, pattern)
	if err != nil || found == nil {
		return "", fmt.Errorf("there is no %s: nothing matches %s", name, pattern)
	}
	if dir == "steps" {
		step = found[0]
	}
	return step, nil
}
