//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// The steps of these tests are this test program under other names.
func TestMain(m *testing.M) {
	if stepName.MatchString(filepath.Base(os.Args[0])) {
		lab.Main(fakeStep)
	}
	goleak.VerifyTestMain(m)
}

// fakeStep does what its name says.
func fakeStep(ctx context.Context, args []string, stdout, stderr io.Writer) (outcome error) {
	found, _ := findSteps(filepath.Dir(os.Args[0]))
	var me step
	for _, s := range found {
		if filepath.Base(s.program) == filepath.Base(os.Args[0]) {
			me = s
		}
	}
	fake := lab.NewStep(me.number, me.name, "is this "+me.name+"?")
	rate := fake.Int("rate", 1, "a number")
	if me.name == "odd" {
		fake.Bool("loud", "say more")
	}
	if err := fake.Begin(args, stdout, stderr); err != nil {
		return err
	}
	fake.KeyFigure("%d a second", *rate)
	switch me.name {
	case "broken":
		return lab.Usage(os.ErrNotExist)
	case "slow":
		if err := os.WriteFile("began", nil, 0o600); err != nil {
			return err
		}
		_ = lab.PretendWork(ctx, time.Minute)
	case "liar":
		defer func() { outcome = lab.ErrDoesNotHold }() // its document says otherwise
	case "unsure":
		fake.Doubt("the machine is asleep")
	}
	fake.Add("one is one", me.name != "bad", "two", "one")
	return fake.End(ctx, "the next")
}

func runFakes(t *testing.T, ctx context.Context, names []string, args ...string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	bin := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.Symlink(self, filepath.Join(bin, name)))
	}
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	t.Setenv("GORACE", "atexit_sleep_ms=0") // or every step takes a second more with -race
	for _, name := range names {            // of an earlier run
		require.NoError(t, os.MkdirAll("kept", 0o700))
		stale := fmt.Sprintf(`{"step": %d, "question": "stale?", "verdict": "holds"}`, name[1]-'0')
		require.NoError(t, os.WriteFile("kept/"+name+".json", []byte(stale), 0o600))
	}
	err = runSteps(ctx, bin, "kept", args, &stdout, &stderr)
	assert.NotContains(t, stdout.String(), "stale")
	assert.Empty(t, stderr.String())
	for line := range strings.Lines(stdout.String()) {
		assert.LessOrEqual(t, len(line), 81, line)
	}
	return regexp.MustCompile(`[0-9.]+ s\b`).ReplaceAllString(stdout.String(), "T s"), err
}

func TestAllHold(t *testing.T) {
	text, err := runFakes(t, t.Context(), []string{"01-good", "02-odd", "lab"})
	require.NoError(t, err)
	assert.Equal(t, ` 1  is this good?
    holds, T s: 1 a second
 2  is this odd?
    holds, T s: 1 a second

verdict: every claim of 2 steps holds, after T s
next:    make report    # pictures of these runs
         make work-3    # the first exercise
`, text)
	kept, err := os.ReadFile("kept/01-good.txt")
	require.NoError(t, err)
	assert.Contains(t, string(kept), "verdict: holds\n")
}

// What cannot be removed could be taken for the document of this run.
func TestStaleDocumentStays(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("out/01-good.json/full", 0o700))
	r := step{number: 1, name: "good", program: os.Args[0]}.run(t.Context(), "out")
	assert.Equal(t, failed, r.verdict)
	assert.Contains(t, r.String(), "directory not empty")
}

// No step keeps the later ones from running, whatever becomes of it.
func TestNothingHidesTheLaterSteps(t *testing.T) {
	text, err := runFakes(t, t.Context(), []string{"01-unsure", "02-broken", "03-bad", "04-good", "05-liar"})
	require.ErrorIs(t, err, lab.ErrDoesNotHold)
	assert.Equal(t, ` 1  is this unsure?
    inconclusive, T s: 1 a second
      inconclusive because the machine is asleep
      all of it: kept/01-unsure.txt
 2  broken
    bad usage, T s
      02-broken: file does not exist
      all of it: kept/02-broken.txt
 3  is this bad?
    does not hold, T s: 1 a second
      does not hold: one is one: two (want one)
      all of it: kept/03-bad.txt
 4  is this good?
    holds, T s: 1 a second
 5  liar
    failed, T s
      it ended with status 1, and kept/05-liar.json has the verdict "holds" on
      step 5
      exit status 1
      all of it: kept/05-liar.txt

verdict: does not hold in step 2, 3, 5, after T s
next:    make step-2
`, text)

	text, err = runFakes(t, t.Context(), []string{"01-good", "02-unsure"}, "-rate", "5")
	require.ErrorIs(t, err, lab.ErrInconclusive)
	assert.Contains(t, text, "\nnext:    make step-2 ARGS=\"-rate 5\"\n")
}

func TestInterrupt(t *testing.T) {
	defer func(d time.Duration) { untilInterrupt = d }(untilInterrupt)
	untilInterrupt = 50 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for {
			if _, err := os.Stat("began"); err == nil || ctx.Err() != nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	text, err := runFakes(t, ctx, []string{"01-good", "02-slow", "03-good"})
	require.ErrorIs(t, err, lab.ErrInterrupted)
	assert.Contains(t, text, "is this slow?\n    inconclusive")
	assert.Contains(t, text, "verdict: cut short in step 2 of 3")
	assert.NotContains(t, text, " 3  ")
}

func TestFlagsArePassedOn(t *testing.T) {
	for _, args := range [][]string{{"-rate", "5", "-loud"}, {"--rate=5", "-loud=true"}, {"-loud", "-rate", "5"}} {
		text, err := runFakes(t, t.Context(), []string{"01-good", "02-odd"}, args...)
		require.NoError(t, err)
		assert.Equal(t, 2, strings.Count(text, "5 a second"), args)
		assert.Contains(t, text, "-loud is no flag of step 1, which ran without it.\n")
	}
}

func TestBadArguments(t *testing.T) {
	for arg, want := range map[string]string{
		"-speed":    "no step has a flag -speed; those of step N: make step-N ARGS=-h",
		"-rate=few": `01-good: invalid value "few" for flag -rate: want a whole number from 1 to 100000; -h lists the flags`,
		"-rate":     `01-good: invalid value "-h" for flag -rate: want a whole number from 1 to 100000; -h lists the flags`,
		"fast":      `unexpected argument "fast", want flags of the steps`,
		"-json":     "-json is for a single step: make step-N ARGS=-json",
	} {
		text, err := runFakes(t, t.Context(), []string{"01-good", "02-odd"}, arg)
		require.EqualError(t, err, want)
		status, _ := lab.ExitStatus(err)
		assert.Equal(t, 2, status)
		assert.Empty(t, text, "nothing has run")
	}
	_, err := runFakes(t, t.Context(), nil)
	assert.ErrorContains(t, err, "make build puts them there")
}
