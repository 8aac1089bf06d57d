package main

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"example.com/sheddinglab/lab"
)

// single are the flags for one step alone: of what it prints and where to, and of
// the other experiments of step 9.
var single = []string{"json", "csv", "out", "hold", "tune", "far", "url", "from"}

// flagLine is a line of what package flag prints after -h: a name, and a word for
// the value, which a flag that is true or false has none of.
var flagLine = regexp.MustCompile(`(?m)^  -([a-z0-9-]+)( \S+)?`)

// flags returns the flags of the step, and whether each takes a value.
func (s step) flags() (map[string]bool, error) {
	usage, err := exec.Command(s.program, "-h").Output()
	if err != nil {
		return nil, fmt.Errorf("%s -h: %w", s.program, err)
	}
	takesValue := map[string]bool{}
	for _, m := range flagLine.FindAllSubmatch(usage, -1) {
		takesValue[string(m[1])] = len(m[2]) > 0
	}
	return takesValue, nil
}

// passOn gives each of the steps those of the flags in args that it has. It returns a
// note for every flag that some do without. One that no step has is an error.
func passOn(args []string, steps []step) (notes []string, err error) {
	if len(args) == 0 {
		return nil, nil
	}
	flags := make([]map[string]bool, len(steps))
	takesValue := map[string]bool{}
	for i, s := range steps {
		if flags[i], err = s.flags(); err != nil {
			return nil, err
		}
		for name, value := range flags[i] {
			takesValue[name] = value
		}
	}
	for len(args) > 0 {
		one, rest := args[:1], args[1:]
		name, _, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
		value, known := takesValue[name]
		switch {
		case !strings.HasPrefix(args[0], "-"):
			return nil, lab.Usage(fmt.Errorf("unexpected argument %q, want flags of the steps", args[0]))
		case slices.Contains(single, name):
			return nil, lab.Usage(fmt.Errorf("-%s is for a single step: make step-N ARGS=-%s", name, name))
		case !known:
			return nil, lab.Usage(fmt.Errorf("no step has a flag -%s; those of step N: make step-N ARGS=-h", name))
		case value && !hasValue && len(rest) > 0:
			one, rest = args[:2], args[2:]
		}
		var without []string
		for i := range steps {
			if _, has := flags[i][name]; has {
				steps[i].args = append(steps[i].args, one...)
			} else {
				without = append(without, fmt.Sprint(steps[i].number))
			}
		}
		if len(without) > 0 {
			notes = append(notes, fmt.Sprintf("-%s is no flag of step %s, which ran without it.", name, strings.Join(without, ", ")))
		}
		args = rest
	}
	for _, s := range steps {
		if err := s.accepts(); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// accepts returns what the step has to say against its arguments, which it does
// before it looks at the -h behind them.
func (s step) accepts() error {
	command := exec.Command(s.program, slices.Concat(s.args, []string{"-h"})...)
	var stderr strings.Builder
	command.Stderr = &stderr
	if command.Run() != nil {
		return lab.Usage(errors.New(strings.TrimSpace(stderr.String())))
	}
	return nil
}
