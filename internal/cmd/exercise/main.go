// Command exercise begins an exercise, gives hints, and shows a solution. See package
// exercises.
//
//	make work-3     or go run ./internal/cmd/exercise work 3
//	make hint-3     or go run ./internal/cmd/exercise hint 3
//	make solve-3    or go run ./internal/cmd/exercise solve 3
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"example.com/sheddinglab/exercises"
	"example.com/sheddinglab/lab"
)

const usage = "usage: exercise work N, exercise hint N or exercise solve N; N is the number of a step"

func main() { lab.Main(run) }

func run(_ context.Context, args []string, stdout, _ io.Writer) error {
	if len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		_, err := fmt.Fprintln(stdout, usage)
		return err
	}
	if len(args) != 2 {
		return lab.Usage(errors.New(usage))
	}
	do, ok := map[string]func(exercises.Exercise, string, io.Writer) error{
		"work": work, "hint": hint, "solve": solve,
	}[args[0]]
	if !ok {
		return lab.Usage(errors.New(usage))
	}
	e, err := exercises.Find(args[1])
	if err != nil {
		return err
	}
	root, err := repository()
	if err != nil {
		return err
	}
	return do(e, filepath.Join(root, "work"), stdout)
}

func work(e exercises.Exercise, dir string, stdout io.Writer) error {
	if err := e.Begin(dir); err != nil {
		return err
	}
	name, _ := e.Solution()
	_, err := fmt.Fprintf(stdout, `Exercise %d is in work/%s: the task is in README.md, and the
gap in %s, where it says GAP.

next:    go test ./work/%s
         make hint-%d
`, e.Number, e.Name, path.Base(name), e.Name, e.Number)
	return err
}

func hint(e exercises.Exercise, dir string, stdout io.Writer) error {
	text, n, err := e.Hint(dir)
	switch {
	case err != nil:
		return err
	case text == "":
		fmt.Fprintf(stdout, "You have had all %d hints; they are in exercises/%s/hint-1.txt and so on.\n", n, e.Name)
	default:
		fmt.Fprintf(stdout, "Hint %d of %d:\n\n%s\n", n, exercises.Hints, text)
	}
	if n < exercises.Hints {
		return nil
	}
	_, err = fmt.Fprintf(stdout, "That was the last one; make solve-%d shows a solution.\n", e.Number)
	return err
}

func solve(e exercises.Exercise, _ string, stdout io.Writer) error {
	name, code := e.Solution()
	fmt.Fprintf(stdout, "%s\nThis is %s.\n", code, name)
	for _, other := range e.OtherSolutions() {
		fmt.Fprintf(stdout, "Another one is %s.\n", other)
	}
	_, err := fmt.Fprintf(stdout, "What you have in work/%s is as it was.\n", e.Name)
	return err
}

// module is the first line of the go.mod that lies in the repository's root. Others
// lie in directories below it.
const module = "module example.com/sheddinglab\n"

// repository is the root of the repository that the process was started in.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		data, _ := os.ReadFile(filepath.Join(d, "go.mod")) // without one, look further up
		if strings.HasPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), module) {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", lab.Usage(fmt.Errorf("there is no go.mod of example.com/sheddinglab in %s or above: start this in the repository", dir))
		}
	}
}
