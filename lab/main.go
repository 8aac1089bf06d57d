package lab

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// What [Step.End] returns when not every claim holds. The report has said so.
var (
	ErrDoesNotHold  = errors.New("a claim does not hold")
	ErrInconclusive = errors.New("the run cannot tell")
	ErrInterrupted  = errors.New("interrupted")
)

// A UsageError is a command line, or a file it depends on, that makes no sense.
type UsageError struct{ err error }

func (e *UsageError) Error() string { return e.err.Error() }
func (e *UsageError) Unwrap() error { return e.err }

// Usage is err as a fault of the command line: what a run found out about its
// settings before it did anything.
func Usage(err error) error { return &UsageError{err} }

func usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// Main is the main function of a step: it calls run with the process's
// arguments and output and exits with [ExitStatus]. The first interrupt ends
// run's context, and the second one the process.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	ctx = untilGoRunEnds(ctx)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	status, said := ExitStatus(err)
	if !said {
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
	}
	os.Exit(status)
}

// untilGoRunEnds is ctx for a program that may have been started by go run, which
// dies of a signal without passing it on, and leaves the program behind.
func untilGoRunEnds(ctx context.Context) context.Context {
	program, err := os.Executable()
	if err != nil || !builtByGoRun(program) {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(200 * time.Millisecond)
		}
		cancel()
	}()
	return ctx
}

// builtByGoRun tells a program that go run has built by where it is: in a temporary
// directory go-build…/b001/exe, or in a directory of the build cache that is named
// by a hash and -d.
func builtByGoRun(program string) bool {
	dir := filepath.Dir(filepath.ToSlash(program))
	hash, cached := strings.CutSuffix(filepath.Base(dir), "-d")
	return cached && len(hash) == 64 || strings.HasSuffix(dir, "/b001/exe")
}

// ExitStatus returns the exit status for what run returned, and whether the
// report has said all there is to say about it: 0 all claims hold, 1 one does
// not, or a fault; 2 bad usage; 3 inconclusive; 130 interrupted.
func ExitStatus(err error) (status int, said bool) {
	_, usage := errors.AsType[*UsageError](err)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0, true
	case errors.Is(err, ErrInterrupted):
		return 130, true
	case errors.Is(err, ErrInconclusive):
		return 3, true
	case errors.Is(err, ErrDoesNotHold):
		return 1, true
	case usage:
		return 2, false
	}
	return 1, false
}

// defaultOut is the directory out in the root of the module the process was
// started in, and otherwise in its working directory.
func defaultOut() string {
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "out")
		}
		if abs, err := filepath.Abs(dir); err != nil || filepath.Dir(abs) == abs {
			return "out"
		}
	}
}
