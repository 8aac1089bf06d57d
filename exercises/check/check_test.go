package check

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/lab"
)

// wantBroken fails t unless the first of the rules that is not kept is the one with
// this name, and its failure has these words. It skips t if that takes requests that
// race, and the machine had no two processors for them.
func wantBroken(t *testing.T, rules []rule, name, words string) {
	t.Helper()
	defer func(d time.Duration) { racing = d }(racing)
	for _, r := range rules {
		late := func() (p99, _ lab.Millis) { return 0, 0 }
		if r.name == name && r.often == again {
			late = lab.WatchSleeps()
			if runtime.NumCPU() > 1 {
				racing = 20 * time.Second // the machine may be busy
			}
		}
		err := r.broken(t)
		p99, _ := late()
		if r.name == name && r.often == again && err == nil && (runtime.NumCPU() == 1 || p99 > 5) {
			t.Skipf("%d processors, and sleeps ended up to %v ms late (p99): no two goroutines were in the same instant", runtime.NumCPU(), p99)
		}
		if err != nil {
			assert.Equal(t, name, r.name, "%v", err)
			assert.Contains(t, strings.Join(strings.Fields(err.Error()), " "), words)
			return
		}
	}
	assert.Fail(t, "every rule is kept", "want a failure of %q", name)
}

// wantKept fails t unless all of the rules are kept.
func wantKept(t *testing.T, rules []rule) {
	t.Helper()
	for _, r := range rules {
		assert.NoError(t, r.broken(t), r.name)
	}
}

// Calls that never return do not end the test program.
func TestDeadlock(t *testing.T) {
	r := rule{"it ends", once, func() error { <-make(chan int); return nil }}
	wantBroken(t, []rule{r}, r.name, "deadlock: ")
}

// Goroutines that nobody waits for are told from calls that never return.
func TestLeftBehind(t *testing.T) {
	r := rule{"it cleans up", once, func() error { go func() { <-make(chan int) }(); return nil }}
	wantBroken(t, []rule{r}, r.name, "every call has returned, but goroutines are left behind")
}

// What is wrong is said, and not what follows from it.
func TestWrongAndLeftBehind(t *testing.T) {
	r := rule{"it is right", once, func() error { go func() { <-make(chan int) }(); return wrong("1", "2", "it.") }}
	assert.Equal(t, wrong("1", "2", "it."), r.broken(t))
}

// In a process of its own, which ends.
func TestStuck(t *testing.T) {
	assert.Less(t, stuck, 2*time.Minute, "go test -timeout 120s would be quicker, and say less")
	if os.Getenv("STUCK") != "" {
		stuck = 100 * time.Millisecond
		keep(t, []rule{{"it ends", once, func() error {
			for {
				time.Now()
			}
		}}})
	}
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStuck$")
	program.Env = append(os.Environ(), "STUCK=1")
	output, err := program.CombinedOutput()
	assert.EqualError(t, err, "exit status 1")
	assert.Contains(t, string(output), "it ends\n    measured: after 100ms on the wall clock no end,")
}
