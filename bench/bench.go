package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"example.com/sheddinglab/bench/question"
)

// A bench is a question and where it is answered.
type bench struct {
	question.Question
	dir      string // of the test package
	out      string
	progress io.Writer
}

// measure builds the test package and runs its benchmarks in rounds: a machine that
// is slow for a while is then slow for each of the peers. Their lines are kept in
// bench-NAME.txt. When ctx ends, what the rounds before have measured is returned.
func (b bench) measure(ctx context.Context) (*measurements, error) {
	temp, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	program := filepath.Join(temp, b.Name+".test.exe") // Windows wants the suffix, and the others do not mind
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", program, ".")
	build.Dir = b.dir
	if output, err := build.CombinedOutput(); err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%s cannot be built: %w\n%s", b.Name, err, output)
	}
	m := newMeasurements()
	var lines bytes.Buffer
	for round := range b.Rounds {
		fmt.Fprintf(b.progress, "%s: round %d of %d\n", b.Name, round+1, b.Rounds)
		output, err := b.round(ctx, program)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: round %d failed: %w\n%s", b.Name, round+1, err, output)
		}
		lines.Write(output)
		if err := m.add(bytes.NewReader(output)); err != nil {
			return nil, fmt.Errorf("%s: round %d: %w", b.Name, round+1, err)
		}
	}
	if m.rounds == 0 {
		return m, nil // and leave the lines of the run before
	}
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		return nil, err
	}
	return m, os.WriteFile(filepath.Join(b.out, "bench-"+b.Name+".txt"), lines.Bytes(), 0o644)
}

// round runs each benchmark once and returns what they print.
func (b bench) round(ctx context.Context, program string) ([]byte, error) {
	var output, stderr strings.Builder
	c := exec.CommandContext(ctx, program, "-test.run=^$", "-test.bench=.", "-test.benchtime="+b.Benchtime)
	c.Dir = b.dir
	c.Stdout, c.Stderr = &output, &stderr
	err := c.Run()
	if err != nil {
		return []byte(output.String() + stderr.String()), err
	}
	return []byte(output.String()), nil
}
