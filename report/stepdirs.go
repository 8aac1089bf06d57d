package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A stepDir is the directory of a step, such as steps/03-collapse.
type stepDir struct {
	number int
	name   string // 03-collapse
	path   string
}

func (s stepDir) word() string { return s.name[3:] }

var (
	stepName = regexp.MustCompile(`^(\d\d)-[a-z0-9-]+$`)
	modeName = regexp.MustCompile(`^[a-z0-9-]+$`)
)

// stepDirs are the steps of the lab, in order.
func stepDirs(dir string) ([]stepDir, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var steps []stepDir
	for _, e := range entries {
		if match := stepName.FindStringSubmatch(e.Name()); match != nil && e.IsDir() {
			number, _ := strconv.Atoi(match[1])
			steps = append(steps, stepDir{number, e.Name(), filepath.Join(dir, e.Name())})
		}
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("no steps in %s, want directories such as 03-collapse", dir)
	}
	return steps, nil
}

// modes are the experiments besides the standard one that have a document in out.
func (s stepDir) modes(out string) []string {
	entries, _ := os.ReadDir(out) // none, before the first run
	var modes []string
	for _, e := range entries {
		mode, ours := strings.CutPrefix(e.Name(), s.name+"-")
		mode, isDocument := strings.CutSuffix(mode, ".json")
		if ours && isDocument && modeName.MatchString(mode) {
			modes = append(modes, mode)
		}
	}
	return modes
}
