package lab

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// Progress shows on stderr how much of a run has passed, until stop is called. It is
// silent if the run is not worth the wait: see [ProgressLine].
func (s *Step) Progress(length time.Duration) (stop func()) {
	if length <= 2*time.Second {
		return func() {}
	}
	return ProgressLine(s.stderr, func(passed time.Duration) string {
		return fmt.Sprintf("running: %4.1f of %.1f s", passed.Seconds(), length.Seconds())
	})
}

// ProgressLine keeps one line of w up to date with what text says, until stop is
// called, which wipes it away. It is silent unless w is a terminal. The line is
// overwritten with spaces and a carriage return, the one control character that
// every terminal knows.
func ProgressLine(w io.Writer, text func(passed time.Duration) string) (stop func()) {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return func() {}
	}
	start, done := time.Now(), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(f, "\r%-*.*s", screen-1, screen-1, text(time.Since(start)))
			case <-done:
				fmt.Fprintf(f, "\r%*s\r", screen-1, "")
				return
			}
		}
	})
	return func() { close(done); wg.Wait() }
}
