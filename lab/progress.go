package lab

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// Progress shows on stderr how much of a run has passed, until stop is called.
// It is silent unless stderr is a terminal and the run is worth the wait. The
// line is overwritten with spaces and a carriage return, the one control
// character that every terminal knows.
func (s *Step) Progress(length time.Duration) (stop func()) {
	f, ok := s.stderr.(*os.File)
	if !ok || length <= 2*time.Second || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
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
				fmt.Fprintf(f, "\rrunning: %4.1f of %.1f s ", time.Since(start).Seconds(), length.Seconds())
			case <-done:
				fmt.Fprintf(f, "\r%30s\r", "")
				return
			}
		}
	})
	return func() { close(done); wg.Wait() }
}
