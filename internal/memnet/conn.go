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

// A stream is one direction of a connection.
type stream struct {
	mu       sync.Mutex
	changed  *sync.Cond // of anything below
	buffer   bytes.Buffer
	ended    bool // the writer has closed: what is in the buffer is the rest
	deaf     bool // the reader has closed
	deadline time.Time
	timer    *time.Timer // wakes the reader at its deadline
}

func newStream() *stream {
	s := new(stream)
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *stream) read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.deaf:
			return 0, net.ErrClosed
		case !s.deadline.IsZero() && !time.Now().Before(s.deadline):
			return 0, os.ErrDeadlineExceeded
		case s.buffer.Len() > 0:
			return s.buffer.Read(b)
		case s.ended:
			return 0, io.EOF
		}
		s.changed.Wait()
	}
}

func (s *stream) write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.deaf {
		return 0, net.ErrClosed
	}
	s.changed.Broadcast()
	return s.buffer.Write(b)
}

// close sets one of the stream's two ends.
func (s *stream) close(end *bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*end = true
	s.setTimer(time.Time{})
	s.changed.Broadcast()
}

func (s *stream) setDeadline(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadline = t
	s.setTimer(t)
	s.changed.Broadcast()
}

func (s *stream) setTimer(t time.Time) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if !t.IsZero() {
		s.timer = time.AfterFunc(time.Until(t), func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.changed.Broadcast()
		})
	}
}
