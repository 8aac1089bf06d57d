package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

var stepName = regexp.MustCompile(`^([0-9][0-9])-([a-z-]+)(\.exe)?$`)

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

// noVerdict is that of a step which ended before it could have one.
const noVerdict lab.Verdict = "failed"

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
	r := result{step: s, question: s.name, verdict: noVerdict, output: filepath.ToSlash(filepath.Join(out, s.dirName()+".txt"))}
	document := filepath.Join(out, s.dirName()+".json")
	os.Remove(document) // so that it cannot be that of an earlier run

	command := exec.Command(s.program, append([]string{"-out", out}, s.args...)...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	start := time.Now()
	err := wait(ctx, command)
	r.took = time.Since(start)
	if err := os.WriteFile(r.output, stdout.Bytes(), 0o644); err != nil {
		r.details = append(r.details, err.Error())
	}
	_, exited := errors.AsType[*exec.ExitError](err)
	if err != nil && !exited {
		r.details = append(r.details, err.Error())
		return r
	}
	r.read(document)
	for line := range strings.Lines(stderr.String()) {
		r.details = append(r.details, strings.TrimSuffix(line, "\n"))
	}
	return r
}

// patience is how long a command that should end may take to.
var patience = 3 * time.Second

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
	for _, stop := range []func() error{
		func() error { return command.Process.Signal(os.Interrupt) },
		command.Process.Kill,
	} {
		select {
		case err := <-ended:
			return err
		case <-time.After(patience):
			_ = stop() // it may just have ended
		}
	}
	return <-ended
}

// read takes over what the step's document says.
func (r *result) read(name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		return // it ended too early, and standard error says why
	}
	var d struct {
		Question  string
		Checks    []lab.Check
		Doubts    []string
		Verdict   lab.Verdict
		KeyFigure string `json:"key_figure"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		r.details = append(r.details, fmt.Sprintf("%s: %v", name, err))
		return
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
}
