// Bench measures the lab beside what people would pick instead, and prints a
// table for each question.
//
//	go run .                   # in bench/: every question
//	go run . -only decision    # one of them
//
// It is a module of its own, so that whoever imports the lab does not get its
// peers too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/sheddinglab/bench/decision"
	"example.com/sheddinglab/bench/generator"
	"example.com/sheddinglab/bench/goodput"
	"example.com/sheddinglab/bench/growth"
	"example.com/sheddinglab/bench/question"
	"example.com/sheddinglab/bench/refusal"
	"example.com/sheddinglab/lab"
)

var questions = []question.Question{
	decision.Question,
	refusal.Question,
	generator.Question,
	goodput.Question,
	growth.Question,
}

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	root := root()
	only := flags.String("only", "", "measure this `question` alone: "+strings.Join(names(), ", "))
	rounds := flags.Int("rounds", 0, "`number` of rounds; 0 = as each question has it")
	out := flags.String("out", filepath.Join(root, "out"), "`directory` to keep the lines of the benchmarks in, for benchstat")
	strict := flags.Bool("strict", false, "exit with status 1 if a target is missed; they are meant for a quiet machine")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(stdout, "usage: bench [flags]\n\nIt measures the lab beside what people would pick instead.")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return err
	} else if err != nil {
		return lab.Usage(err)
	}
	if flags.NArg() > 0 {
		return lab.Usage(fmt.Errorf("there is no argument %q, want flags only", flags.Arg(0)))
	}
	if *rounds < 0 {
		return lab.Usage(fmt.Errorf("-rounds is %d, want at least 0", *rounds))
	}
	asked, err := choose(*only)
	if err != nil {
		return lab.Usage(err)
	}
	missed := 0
	for _, q := range asked {
		if *rounds > 0 {
			q.Rounds = *rounds
		}
		b := bench{Question: q, dir: filepath.Join(root, "bench", q.Name), out: *out, progress: stderr}
		measured, err := b.measure(ctx)
		if err != nil {
			return err
		}
		if measured.rounds > 0 {
			n, err := report(stdout, q, measured)
			if err != nil {
				return err
			}
			missed += n
		}
		if ctx.Err() != nil {
			fmt.Fprintln(stdout, "interrupted")
			return lab.ErrInterrupted
		}
	}
	if *strict && missed > 0 {
		return lab.ErrDoesNotHold
	}
	return nil
}

func names() []string {
	var all []string
	for _, q := range questions {
		all = append(all, q.Name)
	}
	return all
}

func choose(only string) ([]question.Question, error) {
	if only == "" {
		return questions, nil
	}
	for _, q := range questions {
		if q.Name == only {
			return []question.Question{q}, nil
		}
	}
	return nil, fmt.Errorf("there is no question %q, want one of %s", only, strings.Join(names(), ", "))
}

// root is the root of the repository, for a program started there or in bench/.
func root() string {
	if _, err := os.Stat("steps"); err != nil {
		return ".."
	}
	return "."
}
