// Report draws the last run of each step of the lab, beside the same step in
// virtual time, on one page that needs nothing else: out/report.html.
//
//	go run .             # in report/: the page
//	go run . -figures    # the pictures of the steps' READMEs, steps/*/figure.svg
//
// It is a module of its own, so that the lab does not depend on a plotting library.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"example.com/sheddinglab/lab"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr, time.Now())
	status := 0
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.As(err, new(*lab.UsageError)):
		status = 2
	case err != nil:
		status = 1
	}
	if status != 0 {
		fmt.Fprintf(os.Stderr, "report: %v\n", err)
	}
	os.Exit(status)
}

func run(args []string, stdout, stderr io.Writer, now time.Time) error {
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	root := root()
	out := flags.String("out", filepath.Join(root, "out"), "`directory` that the steps write their documents to, and this program the page")
	stepsDir := flags.String("steps", filepath.Join(root, "steps"), "`directory` of the steps")
	figures := flags.Bool("figures", false, "rewrite the pictures of the steps' READMEs instead")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(stdout, "usage: report [flags]\n\nIt draws the last run of each step on one page.")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return err
	} else if err != nil {
		return lab.Usage(err)
	}
	if flags.NArg() > 0 {
		return lab.Usage(fmt.Errorf("there is no argument %q, want flags only", flags.Arg(0)))
	}
	steps, err := stepDirs(*stepsDir)
	if err != nil {
		return err
	}
	if *figures {
		return writeFigures(steps, stdout)
	}
	return writeReport(steps, *out, stdout, stderr, now)
}

// root is the root of the repository, for a program started there or in report/.
func root() string {
	if _, err := os.Stat("steps"); err != nil {
		return ".."
	}
	return "."
}

func writeReport(steps []stepDir, out string, stdout, stderr io.Writer, now time.Time) error {
	file := filepath.Join(out, "report.html")
	p, err := newPage(steps, out, now)
	for _, fault := range p.faults() {
		fmt.Fprintf(stderr, "report: %s\n", fault)
	}
	if err != nil {
		return fmt.Errorf("%s was not written: %w", file, err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := replace(file, p.write); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d of %d steps run: %s\n", p.Ran, p.Steps, file)
	return nil
}

// replace writes a file as a whole or not at all.
func replace(file string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+"-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once the file has its name
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
