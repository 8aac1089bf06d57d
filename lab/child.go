package lab

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"
)

// A Child is a server in a process of its own: this program, started again. It
// ends when its parent does, however the parent ends: it watches its standard
// input, whose other end nobody but the parent holds.
type Child struct {
	URL string // such as http://127.0.0.1:41234

	cmd    *exec.Cmd
	stdin  io.Closer
	stderr bytes.Buffer
	ended  chan struct{} // closed when the process has ended
}

const (
	tokenVariable = "SHEDDINGLAB_TOKEN" // set in a child, to a word that only its parent knows
	tokenHeader   = "Sheddinglab-Token" // in every answer of a child
)

// startTimeout is how long a child may take to listen.
const startTimeout = 20 * time.Second

// StartChild starts this program again with args, which must make it call
// [Server.Serve] with port 0, and waits until the server answers. The answer must
// carry a token made for this child, so that no other server can be taken for it.
// It is started without the settings that this process has from its environment.
func StartChild(ctx context.Context, args ...string) (*Child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	token := rand.Text()
	c := &Child{ended: make(chan struct{})}
	c.cmd = exec.Command(program, args...)
	c.cmd.Env = []string{tokenVariable + "=" + token}
	c.cmd.Stderr = &c.stderr
	c.stdin, err = c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("the server cannot be started: %w", err)
	}
	address := make(chan string, 1)
	go func() {
		defer close(c.ended)
		line, _ := bufio.NewReader(stdout).ReadString('\n')
		address <- line
		io.Copy(io.Discard, stdout)
		c.cmd.Wait()
	}()

	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := c.await(ctx, address, token); err != nil {
		c.cmd.Process.Kill() // it may be in a state in which it heeds nothing else
		<-c.ended
		return nil, fmt.Errorf("the server did not start: %w %s", err, strings.TrimSpace(c.stderr.String()))
	}
	return c, nil
}

// await waits until the child answers at the address that it prints.
func (c *Child) await(ctx context.Context, address <-chan string, token string) error {
	select {
	case line := <-address:
		url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
		if !ok {
			return fmt.Errorf("it printed %q, want its address;", strings.TrimSpace(line))
		}
		c.URL = url
		return c.identify(ctx, token)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// identify makes sure that the server at c.URL is this child.
func (c *Child) identify(ctx context.Context, token string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL+"/health", nil)
	if err != nil {
		return err
	}
	request.Close = true
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.Header.Get(tokenHeader) != token {
		return fmt.Errorf("the server at %s is not the one that was started", c.URL)
	}
	return nil
}

// Stop ends the child and waits until it is gone.
func (c *Child) Stop() {
	c.stdin.Close()
	select {
	case <-c.ended:
	case <-time.After(5 * time.Second):
		c.cmd.Process.Kill()
		<-c.ended
	}
}

// CPUTime returns the processor time that the child has used, its own and the
// system's for it. Call it after Stop.
func (c *Child) CPUTime() time.Duration {
	if c.cmd.ProcessState == nil {
		return 0 // it could not be waited for
	}
	return c.cmd.ProcessState.UserTime() + c.cmd.ProcessState.SystemTime()
}

// untilParentEnds is ctx for a child: it ends when the parent does. Ctrl-C, which
// a terminal sends to both, is for the parent, who may still be measuring.
func untilParentEnds(ctx context.Context) context.Context {
	signal.Ignore(os.Interrupt)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return ctx
}

// withToken puts the token into every answer of h.
func withToken(token string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(tokenHeader, token)
		h.ServeHTTP(w, r)
	})
}
