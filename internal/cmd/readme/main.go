//go:build unix

// Readme runs the commands of README.md in a fresh clone, in order, as somebody would
// who follows it for the first time. It needs git, bash, make and curl, and nothing
// but this machine's loopback interface, save for Go modules that are not there yet.
//
//	go run ./internal/cmd/readme
//	go run ./internal/cmd/readme -list    # what it would run
//
// Every line of the ```sh blocks is a command of its own. One under the marker "keeps
// running" goes on in the background until all others have ended: it must listen on
// the address that it names. A step that is inconclusive is reported and is no fault.
// At the end nothing may have changed in the clone.
//
// Exit status: 0; 1 if a command failed, or left something behind; 2 bad usage; 3 if a
// tool is missing; 130 after Ctrl-C, which ends all that was started.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("readme", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	list := flags.Bool("list", false, "print the commands of README.md here, and run none")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(stdout, "Runs the commands of README.md in a fresh clone. Flags:")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return err
	case err != nil:
		return lab.Usage(fmt.Errorf("%w; -h lists the flags", err))
	case flags.NArg() > 0:
		return lab.Usage(fmt.Errorf("unexpected argument %q; -h lists the flags", flags.Arg(0)))
	}
	for _, tool := range []string{"git", "bash", "make", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			fmt.Fprintf(stderr, "readme needs %s, and there is none in PATH\n", tool)
			return lab.ErrInconclusive
		}
	}
	root, err := git(ctx, ".", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if *list {
		commands, err := read(root)
		for _, c := range commands {
			fmt.Fprintln(stdout, c)
		}
		return err
	}
	return inClone(ctx, root, stdout)
}

// inClone runs the commands in a clone of what is checked out in root.
func inClone(ctx context.Context, root string, stdout io.Writer) error {
	dir, err := os.MkdirTemp("", "readme")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	clone := filepath.Join(dir, "clone")
	if _, err := git(ctx, ".", "clone", "--quiet", root, clone); err != nil {
		return err
	}
	commit, err := git(ctx, clone, "log", "-1", "--format=%h %s")
	if err != nil {
		return err
	}
	commands, err := read(clone)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "The commands of README.md, in a clone of %s\n", commit)
	if err := play(ctx, clone, commands, stdout); err != nil {
		return err
	}
	changed, err := git(ctx, clone, "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("the commands of README.md changed the clone:\n%s", changed)
	}
	fmt.Fprintln(stdout, "\nAll ran, and nothing in the clone has changed.")
	return nil
}

// read returns the commands of the README.md in dir.
func read(dir string) ([]command, error) {
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return nil, err
	}
	return parse(string(text))
}

// git runs git in dir and returns what it prints.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = environment()
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", lab.ErrInterrupted
	}
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
