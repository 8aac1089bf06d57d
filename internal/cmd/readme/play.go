//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"slices"
	"strings"
	"time"

	"example.com/sheddinglab/lab"
)

const (
	maxTries = 3                // of a step whose claim fails
	longest  = 15 * time.Minute // that a command may take
)

// play runs the commands in dir, one after the other, and at the end interrupts those
// that keep running.
func play(ctx context.Context, dir string, commands []command, stdout io.Writer) (err error) {
	var servers []*server
	defer func() {
		for _, s := range servers {
			fmt.Fprintf(stdout, "\n== the end of %v\n", s.command)
			err = errors.Join(err, s.end(stdout))
		}
	}()
	commands = slices.Clone(commands)
	for i, c := range commands {
		ours := slices.ContainsFunc(servers, func(s *server) bool { return s.address == c.address })
		if c.address != "" && !ours && listens(c.address) {
			if err := elsewhere(commands[i:], c.address, stdout); err != nil {
				return err
			}
			c = commands[i]
		}
		fmt.Fprintf(stdout, "\n== %v\n", c)
		if c.address == "" {
			if err := try(ctx, dir, c, stdout); err != nil {
				return err
			}
			continue
		}
		s, err := start(ctx, dir, c)
		if err != nil {
			return err
		}
		servers = append(servers, s)
	}
	return nil
}

// elsewhere has commands use a free port instead of an address at which something
// listens that is not theirs.
func elsewhere(commands []command, address string, stdout io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	free := l.Addr().String()
	if err := l.Close(); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\n== something else listens on %s: from here on it is %s\n", address, free)
	for i := range commands {
		commands[i].line = strings.ReplaceAll(commands[i].line, address, free)
		commands[i].address = strings.ReplaceAll(commands[i].address, address, free)
	}
	return nil
}

// try runs a command, and again if a claim of a step fails.
func try(ctx context.Context, dir string, c command, stdout io.Writer) error {
	for n := 1; ; n++ {
		status, output, err := runLine(ctx, dir, c.line, stdout)
		if err != nil {
			return fmt.Errorf("%v: %w%s", c, err, tail(output))
		}
		switch judge(status, output) {
		case ok:
			return nil
		case inconclusive:
			fmt.Fprintln(stdout, "== inconclusive on this machine, which is no fault")
			return nil
		case claimFailed:
			fmt.Fprintf(stdout, "== a claim failed, try %d of %d\n", n, maxTries)
			if n < maxTries {
				continue
			}
		}
		return fmt.Errorf("%v: exit status %d%s", c, status, tail(output))
	}
}

// runLine runs one line of shell to its end and returns its exit status and what it
// wrote, which goes to stdout too.
func runLine(ctx context.Context, dir, line string, stdout io.Writer) (status int, output string, err error) {
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	var written bytes.Buffer
	cmd := shell(limited, dir, line, io.MultiWriter(&written, stdout))
	if err := cmd.Start(); err != nil {
		return 0, "", err
	}
	err = cmd.Wait()
	alone := gone(cmd)
	switch {
	case ctx.Err() != nil:
		return 0, "", lab.ErrInterrupted
	case limited.Err() != nil:
		return 0, written.String(), fmt.Errorf("it still ran after %v", longest)
	case !alone, errors.Is(err, exec.ErrWaitDelay):
		return 0, written.String(), errors.New("it ended, and what it had started did not")
	}
	return cmd.ProcessState.ExitCode(), written.String(), nil
}

// tail is the end of an output, indented below what is said about it.
func tail(output string) string {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	text := "; its last lines:"
	for _, line := range lines[max(0, len(lines)-12):] {
		text += fmt.Sprintf("\n  %.200s", line)
	}
	return text
}
