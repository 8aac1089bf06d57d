package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/sheddinglab/lab"
)

// A step is the program of one, and the arguments that it gets.
type step struct {
	number  int
	name    string
	program string
	args    []string
}

func (s step) dirName() string { return fmt.Sprintf("%02d-%s", s.number, s.name) }

var stepName = regexp.MustCompile(`^([0-9][0-9])-([a-z0-9-]+)(\.exe)?$`)

// findSteps returns the steps whose programs are in dir, in order.
func findSteps(dir string) (steps []step, err error) {
	files, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if m := stepName.FindStringSubmatch(f.Name()); m != nil {
			number, _ := strconv.Atoi(m[1])
			steps = append(steps, step{number: number, name: m[2], program: filepath.Join(dir, f.Name())})
		}
	}
	if len(steps) == 0 {
		return nil, lab.Usage(fmt.Errorf("no steps in %s: make build puts them there", dir))
	}
	return steps, nil
}

// Verdicts on a step that has none itself.
const (
	failed   lab.Verdict = "failed"
	badUsage lab.Verdict = "bad usage"
)

// exits are the verdicts that go with the exit statuses of a step.
var exits = map[int][]lab.Verdict{
	0:   {lab.Holds, lab.Found},
	1:   {lab.DoesNotHold},
	3:   {lab.Inconclusive},
	130: {lab.Inconclusive},
}

// A result is what a step had to say.
type result struct {
	step     step
	question string
	verdict  lab.Verdict
	figure   string
	details  []string // if not all is well: what is not
	took     time.Duration
	output   string // the file with all that the step printed
}

// String is the step's place on the scoreboard.
func (r result) String() string {
	var text strings.Builder
	fmt.Fprintln(&text, lab.Wrap(fmt.Sprintf("%2d  %s", r.step.number, r.question), 4))
	line := fmt.Sprintf("    %s, %.1f s", r.verdict, r.took.Seconds())
	if r.figure != "" {
		line += ": " + r.figure
	}
	fmt.Fprintln(&text, lab.Wrap(line, 4))
	for _, d := range r.details {
		fmt.Fprintln(&text, lab.Wrap("      "+d, 6))
	}
	if len(r.details) > 0 {
		fmt.Fprintln(&text, "      all of it: "+r.output)
	}
	return text.String()
}

// run runs the step to its end, or to that of ctx. What it prints goes to a file in
// the directory out, which is also where it keeps its document.
func (s step) run(ctx context.Context, out string) result {
	r := result{step: s, question: s.name, verdict: failed, output: filepath.ToSlash(filepath.Join(out, s.dirName()+".txt"))}
	document := filepath.Join(out, s.dirName()+".json")
	if err := os.Remove(document); err != nil && !errors.Is(err, fs.ErrNotExist) { // it could be taken for that of this run
		r.details = append(r.details, err.Error())
		return r
	}

	command := exec.Command(s.program, append([]string{"-out", out}, s.args...)...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	command.WaitDelay = patience // with whatever it has left behind
	start := time.Now()
	err := wait(ctx, command)
	r.took = time.Since(start)
	if err := os.WriteFile(r.output, stdout.Bytes(), 0o644); err != nil {
		r.details = append(r.details, err.Error())
	}
	for line := range strings.Lines(stderr.String()) {
		r.details = append(r.details, strings.TrimSuffix(line, "\n"))
	}
	status := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status = exit.ExitCode()
	} else if err != nil {
		status = -1
	}
	switch problem := r.read(document, status); {
	case status == 2:
		r.verdict = badUsage
	case problem != nil:
		r.verdict = failed
		r.details = append(r.details, problem.Error())
		if err != nil {
			r.details = append(r.details, err.Error())
		}
	}
	return r
}

// patience is how long a command that should end may take to.
const patience = 3 * time.Second

// untilInterrupt is that before it is interrupted, for the tests to change.
var untilInterrupt = patience

// wait runs the command. When ctx ends, the command has most likely been told so by
// the same key, and a second signal would end it before it can report.
func wait(ctx context.Context, command *exec.Cmd) error {
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	for _, further := range []struct {
		after time.Duration
		do    func() error
	}{
		{untilInterrupt, func() error { return command.Process.Signal(os.Interrupt) }},
		{patience, command.Process.Kill},
	} {
		select {
		case err := <-ended:
			return err
		case <-time.After(further.after):
			_ = further.do() // it may just have ended
		}
	}
	return <-ended
}

// read takes over what the step's document says. It must be a document of this step,
// and its verdict the one that goes with the exit status.
func (r *result) read(name string, status int) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return errors.New("it ended without a verdict")
	}
	var d struct {
		Step      int
		Question  string
		Checks    []lab.Check
		Doubts    []string
		Verdict   lab.Verdict
		KeyFigure string `json:"key_figure"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if d.Step != r.step.number || !slices.Contains(exits[status], d.Verdict) {
		return fmt.Errorf("it ended with status %d, and %s has the verdict %q on step %d", status, name, d.Verdict, d.Step)
	}
	r.question, r.verdict, r.figure = d.Question, d.Verdict, d.KeyFigure
	for _, c := range d.Checks {
		if c.Verdict == lab.DoesNotHold {
			r.details = append(r.details, fmt.Sprintf("does not hold: %s: %s (want %s)", c.Claim, c.Measured, c.Wanted))
		}
	}
	for _, doubt := range d.Doubts {
		r.details = append(r.details, "inconclusive because "+doubt)
	}
	return nil
}
