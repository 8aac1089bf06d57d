// Package memnet is a network in memory: connections that work in a bubble of
// testing/synctest, where those of the kernel do not.
package memnet

import (
	"context"
	"net"
	"sync"
)

// backlog is how many connections wait to be accepted, as in a kernel.
const backlog = 4096

// A Listener accepts the connections that its Dial makes. It is a [net.Listener].
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// Listen returns a new listener. There is no address to be taken.
func Listen() *Listener {
	return &Listener{conns: make(chan net.Conn, backlog), closed: make(chan struct{})}
}

// Dial connects to l. It has the signature that [net/http.Transport] wants, and
// does not look at network and address. As with a kernel, the connection is there
// before it is accepted.
func (l *Listener) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	client, server := newConn()
	select {
	case <-l.closed:
		return nil, net.ErrClosed
	default:
	}
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept returns the connection that has waited longest.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept, and cuts the connections that nobody has accepted.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	for {
		select {
		case c := <-l.conns:
			c.Close()
		default:
			return nil
		}
	}
}

// Addr returns a name that can stand in a URL.
func (l *Listener) Addr() net.Addr { return addr{} }

type addr struct{}

func (addr) Network() string { return "memory" }
func (addr) String() string  { return "memory.invalid" }
