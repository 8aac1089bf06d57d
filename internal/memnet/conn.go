package memnet

import (
	"bytes"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// newConn returns the two ends of a connection. Like those of a kernel they have
// buffers: a write does not wait for a read, and what was written before a close
// can still be read after it.
func newConn() (client, server net.Conn) {
	up, down := newStream(), newStream()
	return &conn{in: down, out: up}, &conn{in: up, out: down}
}

type conn struct{ in, out *stream }

func (c *conn) Read(b []byte) (int, error)  { return c.in.read(b) }
func (c *conn) Write(b []byte) (int, error) { return c.out.write(b) }

func (c *conn) Close() error {
	c.out.close(&c.out.ended)
	c.in.close(&c.in.deaf)
	return nil
}

func (c *conn) LocalAddr() net.Addr                { return addr{} }
func (c *conn) RemoteAddr() net.Addr               { return addr{} }
func (c *conn) SetDeadline(t time.Time) error      { return c.SetReadDeadline(t) }
func (c *conn) SetReadDeadline(t time.Time) error  { c.in.setDeadline(t); return nil }
func (c *conn) SetWriteDeadline(t time.Time) error { return nil } // a write never waits

// A stream is one direction of a connection, with one reader at a time.
type stream struct {
	changed chan struct{} // holds a token when something below has changed

	mu       sync.Mutex
	buffer   bytes.Buffer
	ended    bool // the writer has closed: what is in the buffer is the rest
	deaf     bool // the reader has closed
	deadline time.Time
}

func newStream() *stream { return &stream{changed: make(chan struct{}, 1)} }

func (s *stream) read(b []byte) (int, error) {
	for {
		n, deadline, err := s.tryRead(b)
		if n > 0 || err != nil {
			return n, err
		}
		s.await(deadline)
	}
}

func (s *stream) tryRead(b []byte) (n int, deadline time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.deaf:
		err = net.ErrClosed
	case !s.deadline.IsZero() && !time.Now().Before(s.deadline):
		err = os.ErrDeadlineExceeded
	case s.buffer.Len() > 0:
		n, err = s.buffer.Read(b)
	case s.ended:
		err = io.EOF
	}
	return n, s.deadline, err
}

// await returns when something has changed, and at the deadline.
func (s *stream) await(deadline time.Time) {
	var passed <-chan time.Time
	if !deadline.IsZero() {
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		passed = timer.C
	}
	select {
	case <-s.changed:
	case <-passed:
	}
}

func (s *stream) write(b []byte) (n int, err error) {
	s.change(func() {
		if s.ended || s.deaf {
			err = net.ErrClosed
			return
		}
		n, err = s.buffer.Write(b)
	})
	return n, err
}

// close sets one of the stream's two ends.
func (s *stream) close(end *bool) { s.change(func() { *end = true }) }

func (s *stream) setDeadline(t time.Time) { s.change(func() { s.deadline = t }) }

// change does f and wakes the reader.
func (s *stream) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	select {
	case s.changed <- struct{}{}:
	default: // it has not woken from the last change yet
	}
}
