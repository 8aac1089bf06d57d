// Package exercises has an exercise for each of the steps 3 to 9, and hands them out.
//
// An exercise is a small program with one gap, in the directory given, and a test of
// it, in the directory solution, where it passes. Readers work on a copy:
//
//	make work-3     begins exercise 3 in work/03-collapse
//	make hint-3     gives a hint, and the next time the next one
//	make solve-3    prints a solution
//
// What the tests demand is in package check.
package exercises

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/sheddinglab/lab"
)

//go:embed 0*
var files embed.FS

// Hints is how many hints each exercise has.
const Hints = 3

// progress is the file in a reader's directory that holds the number of hints given.
const progress = ".hints"

// An Exercise belongs to one step.
type Exercise struct {
	Number int
	Name   string // of its directory and of its step's, such as 03-collapse
}

// All returns the exercises in the order of the steps.
func All() []Exercise {
	dirs, _ := files.ReadDir(".") // it is there
	var all []Exercise
	for _, d := range dirs {
		digits, _, _ := strings.Cut(d.Name(), "-")
		n, _ := strconv.Atoi(digits)
		all = append(all, Exercise{n, d.Name()})
	}
	return all
}

// Find returns the exercise with a number, such as 3 or 03. If there is none, its
// error is a [*lab.UsageError] that says which there are.
func Find(number string) (Exercise, error) {
	all := All()
	n, err := strconv.Atoi(number)
	for _, e := range all {
		if err == nil && e.Number == n {
			return e, nil
		}
	}
	return Exercise{}, lab.Usage(fmt.Errorf("there is no exercise %s; there is one for each of the steps %d to %d",
		number, all[0].Number, all[len(all)-1].Number))
}

// Begin copies the exercise into a new directory below work: the text, the code with
// the gap, and the test. If the directory is there already, Begin leaves it alone and
// returns a [*lab.UsageError]. After any other error it is not there: never half of it.
func (e Exercise) Begin(work string) error {
	dir := filepath.Join(work, e.Name)
	if _, err := os.Lstat(dir); err == nil {
		return lab.Usage(fmt.Errorf("work/%s is there already, and stays as it is; to begin again, rename or delete it", e.Name))
	}
	return makeWhole(dir, func(dir string) error {
		for _, pattern := range []string{"README.md", "given/*.go", "solution/*_test.go"} {
			names, _ := fs.Glob(files, path.Join(e.Name, pattern)) // no pattern is malformed
			for _, name := range names {
				if err := os.WriteFile(filepath.Join(dir, path.Base(name)), e.read(name), 0o644); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// makeWhole makes the directory dir with what fill writes, or, if there is an error,
// does not make it: a disk may be full.
func makeWhole(dir string, fill func(dir string) error) error {
	above, name := filepath.Split(dir)
	if err := os.MkdirAll(above, 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(above, "."+name+"-") // beside it, so that it can be renamed
	if err != nil {
		return err
	}
	defer os.RemoveAll(part) // it is not there any more if all is well
	if err := errors.Join(fill(part), os.Chmod(part, 0o755)); err != nil {
		return err
	}
	return os.Rename(part, dir)
}

// Hint returns the next hint for a reader who has begun the exercise below work, and
// how many that makes. When all have been given it returns "". If the exercise has
// not been begun, its error is a [*lab.UsageError].
func (e Exercise) Hint(work string) (hint string, n int, err error) {
	dir := filepath.Join(work, e.Name)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return "", 0, lab.Usage(fmt.Errorf("exercise %d has not been begun: make work-%d begins it", e.Number, e.Number))
	}
	given, err := os.ReadFile(filepath.Join(dir, progress))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", 0, err
	}
	n, _ = strconv.Atoi(strings.TrimSpace(string(given))) // 0 if there is no file yet, or no number in it
	n = min(max(n, 0), Hints) + 1
	if n > Hints {
		return "", Hints, nil
	}
	err = os.WriteFile(filepath.Join(dir, progress), fmt.Appendln(nil, n), 0o644)
	return string(e.read(e.hintFile(n))), n, err
}

func (e Exercise) hintFile(n int) string { return path.Join(e.Name, fmt.Sprintf("hint-%d.txt", n)) }

// Solution returns the file in which the gap was, without it, and its name in the
// repository.
func (e Exercise) Solution() (name, code string) {
	names, _ := fs.Glob(files, path.Join(e.Name, "given", "*.go"))
	for _, given := range names {
		name = path.Join(e.Name, "solution", path.Base(given))
		if solved := e.read(name); !bytes.Equal(solved, e.read(given)) {
			return path.Join("exercises", name), string(solved)
		}
	}
	panic("exercises: " + e.Name + " has no gap")
}

// OtherSolutions returns the names of solutions that pass as well, if there are any.
func (e Exercise) OtherSolutions() []string {
	names, _ := fs.Glob(files, path.Join(e.Name, "solution-*", "*.go"))
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	for i, name := range names {
		names[i] = path.Join("exercises", name)
	}
	return names
}

// read returns a file that is embedded.
func (e Exercise) read(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return data
}
