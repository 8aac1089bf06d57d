package lab

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"
)

// A Server runs an HTTP handler as a process: settings from the environment and
// from flags, which win, an address that is printed, and an orderly end. A program
// calls [NewServer], the methods that define settings, [Server.Parse] and
// [Server.Serve] in this order. Not safe for concurrent use.
type Server struct {
	Addr        string        // ADDR
	Limits      Limits        // SLOTS, MAX_WAITING, MAX_WAIT, RETRY_AFTER
	ServiceTime time.Duration // SERVICE_TIME
	Drain       time.Duration // DRAIN: how long a stopping server goes on with what it has

	title  string
	flags  flagSet
	stdout io.Writer
}

// NewServer defines the settings, with a protected service on loopback as default.
func NewServer(title string) *Server {
	s := &Server{
		Addr:        "127.0.0.1:8080",
		Limits:      Limits{Slots: DefaultSlots, MaxWaiting: 40, MaxWait: 300 * time.Millisecond, RetryAfter: time.Second},
		ServiceTime: DefaultServiceTime,
		Drain:       10 * time.Second,
		title:       title,
	}
	s.flags.FlagSet = flag.NewFlagSet(title, flag.ContinueOnError)
	s.flags.parameter("addr", "", "`host:port` to listen on; port 0 lets the system choose",
		s.setAddr, func() string { return s.Addr }, func() any { return s.Addr })
	s.flags.intVar(&s.Limits.Slots, "slots", "requests worked on at the same time")
	s.flags.countLimitVar(&s.Limits.MaxWaiting, "max-waiting", "longest line; 0 = no line at all, none = any length")
	s.flags.waitLimitVar(&s.Limits.MaxWait, "max-wait", "longest wait in line; 0 = do not wait, none = any time")
	s.flags.durationVar(&s.Limits.RetryAfter, "retry-after", time.Second, 0, "what a turned-away client is told")
	s.flags.durationVar(&s.ServiceTime, "service-time", time.Millisecond, 1, "how long the pretend work takes")
	s.flags.durationVar(&s.Drain, "drain", time.Second, 0, "how long a server that is told to stop goes on with the requests it has")
	return s
}

func (s *Server) setAddr(text string) error {
	if _, _, err := net.SplitHostPort(text); err != nil {
		return errors.New("want host:port; without a host it is every interface")
	}
	s.Addr = text
	return nil
}

// Choice defines a setting that is one of a few words, the first by default.
func (s *Server) Choice(name, usage string, words ...string) *string {
	value := words[0]
	s.flags.choiceVar(&value, name, usage, words...)
	return &value
}

// Duration defines a setting that is a duration above 0.
func (s *Server) Duration(name string, value time.Duration, usage string) *time.Duration {
	s.flags.durationVar(&value, name, time.Millisecond, 1, usage)
	return &value
}

// Parse reads the environment and the command line. Its errors are a
// [*UsageError], and [flag.ErrHelp] after -h.
func (s *Server) Parse(args []string, stdout io.Writer) error {
	s.stdout = stdout
	if err := s.flags.fromEnvironment(os.LookupEnv); err != nil {
		return err
	}
	title := s.title + "\nEvery flag is also an environment variable: -max-wait is MAX_WAIT."
	if err := s.flags.parse(args, title, stdout); err != nil {
		return err
	}
	if err := s.Limits.validate(); err != nil {
		return &UsageError{err}
	}
	return nil
}

// Service returns the demo service behind a [Controller] with Limits. It does work
// for every admitted request, and tells stderr of those it sheds (see
// [LogRefusals]). Call it after Parse.
func (s *Server) Service(work func(ctx context.Context) error, stderr io.Writer) (*Service, error) {
	c, err := NewController(s.Limits)
	if err != nil {
		return nil, err
	}
	return NewService(LogRefusals(c, slog.New(slog.NewTextHandler(stderr, nil))), work), nil
}

// Serve listens on Addr, prints the address, and serves h until ctx ends. Then it
// accepts no more connections, goes on for up to Drain with the requests that it
// has, in slots and in line, cuts off those that are left, and returns nil. A
// child process (see [StartChild]) cuts them off at once. wrap may put something
// around the listener, and may be nil.
func (s *Server) Serve(ctx context.Context, h http.Handler, wrap func(net.Listener) net.Listener) error {
	listener, err := net.Listen("tcp", s.Addr)
	if err != nil {
		return usagef("cannot listen on -addr %s: %w", s.Addr, err)
	}
	address := "http://" + listener.Addr().String()
	if wrap != nil {
		listener = wrap(listener)
	}
	grace := s.Drain
	if token, ok := os.LookupEnv(tokenVariable); ok {
		grace = 0
		ctx, h = untilParentEnds(ctx), withToken(token, h)
	}
	server := NewHTTPServer(h)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Fprintf(s.stdout, "listening on %s\n", address)

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	fmt.Fprintf(s.stdout, "stopping; the requests that are here have %v\n", grace)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err = server.Shutdown(end)
	server.Close() // what is left after the grace
	<-served       // a server that was stopped while it began has closed its listener only now
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// NewHTTPServer returns a server for h with the bounds that net/http leaves out by
// default: on the time for a header, on its size, and on idle connections.
func NewHTTPServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}
