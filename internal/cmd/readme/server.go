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
	"time"

	"example.com/sheddinglab/lab"
)

// patience is how long a server may take until it listens, with the build before.
const patience = 2 * time.Minute

// A server is a command that keeps running.
type server struct {
	command
	cmd       *exec.Cmd
	output    bytes.Buffer // to be read when it has ended
	interrupt context.CancelFunc
	ended     chan struct{}
}

// start starts a server and waits until it listens.
func start(ctx context.Context, dir string, c command) (*server, error) {
	if listens(c.address) {
		return nil, fmt.Errorf("%v: another command listens on %s", c, c.address)
	}
	ctx, interrupt := context.WithCancel(ctx)
	s := &server{command: c, interrupt: interrupt, ended: make(chan struct{})}
	s.cmd = shell(ctx, dir, c.line, &s.output)
	if err := s.cmd.Start(); err != nil {
		interrupt()
		return nil, fmt.Errorf("%v: %w", c, err)
	}
	go func() {
		s.cmd.Wait()
		close(s.ended)
	}()
	for began := time.Now(); !listens(c.address); {
		select {
		case <-s.ended:
			return nil, s.end(io.Discard)
		case <-ctx.Done():
			return nil, errors.Join(lab.ErrInterrupted, s.end(io.Discard))
		case <-time.After(50 * time.Millisecond):
		}
		if time.Since(began) > patience {
			return nil, errors.Join(fmt.Errorf("%v: it does not listen after %v", c, patience), s.end(io.Discard))
		}
	}
	return s, nil
}

func listens(address string) bool {
	connection, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return false
	}
	connection.Close()
	return true
}

// end interrupts a server and waits until nothing is left of it. It is an error if
// there was nothing to interrupt.
func (s *server) end(stdout io.Writer) error {
	byItself := false
	select {
	case <-s.ended:
		byItself = true
	default:
	}
	s.interrupt()
	<-s.ended
	alone := gone(s.cmd)
	stdout.Write(s.output.Bytes())
	switch {
	case byItself:
		return fmt.Errorf("%v: it ended by itself: %v%s", s.command, s.cmd.ProcessState, tail(s.output.String()))
	case !alone:
		return fmt.Errorf("%v: it had to be killed", s.command)
	case listens(s.address):
		return fmt.Errorf("%v: something listens on %s after its end", s.command, s.address)
	}
	return nil
}
