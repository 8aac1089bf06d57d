package lab

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A Step is what the step programs have in common: flags, the report as text or
// as JSON, the checks and how they end the program. A program calls, in this
// order, [NewStep], the methods that define flags, [Step.Begin], the methods
// that run and report, and [Step.End]. Not safe for concurrent use.
type Step struct {
	Checks

	number         int
	name, question string
	mode           string // which of a step's experiments; "" for the first

	flags    flagSet
	asJSON   bool
	asCSV    bool
	about    string    // what -h says below the title
	dir      string    // of what is kept between steps
	settings *Settings // nil in a step that shares none

	needsCapacity bool // from the disk, unless a flag gives it

	stdout, stderr io.Writer
	notes          []string // the text between the parameters and the checks
	rows           []any
	keyFigure      string
}

// NewStep starts step number, which lives in a directory of that number and name.
func NewStep(number int, name, question string) *Step {
	s := &Step{number: number, name: name, question: question}
	s.flags.FlagSet = flag.NewFlagSet(s.dirName(), flag.ContinueOnError)
	s.flags.BoolVar(&s.asJSON, "json", false, "print one JSON document instead of text")
	s.flags.StringVar(&s.dir, "out", defaultOut(), "`directory` of what is kept between steps")
	return s
}

// Mode names an experiment of a step that has several, to keep its document apart.
func (s *Step) Mode(name string) { s.mode = name }

func (s *Step) dirName() string { return fmt.Sprintf("%02d-%s", s.number, s.name) }

// Begin reads the command line and prints the question and the parameters. Its
// errors are a [*UsageError], and [flag.ErrHelp] after -h.
func (s *Step) Begin(args []string, stdout, stderr io.Writer) error {
	s.stdout, s.stderr = stdout, stderr
	if err := s.parse(args); err != nil {
		return err
	}
	if s.asJSON && s.asCSV {
		return usagef("-json and -csv were given, want one of them")
	}
	if s.asJSON {
		return nil
	}
	if s.asCSV {
		s.stdout = stderr
	}
	var parameters strings.Builder
	for _, p := range s.flags.parameters {
		if text := p.text(); text != "" {
			fmt.Fprintf(&parameters, " -%s=%s", p.flag, text)
		}
	}
	_, err := fmt.Fprintf(s.stdout, "%s\n%s\n\n", s.title(), Wrap("parameters:"+parameters.String(), 12))
	return err
}

func (s *Step) title() string {
	return Wrap(fmt.Sprintf("Step %d, %s: %s", s.number, s.name, s.question), 0)
}

func (s *Step) parse(args []string) error {
	if err := s.flags.parse(args, s.title()+s.about, s.stdout); err != nil || s.settings == nil {
		return err
	}
	set := s.settings
	if set.WarmUp >= set.Duration {
		return usagef("-warm-up is %v, want less than -duration, which is %v", set.WarmUp, set.Duration)
	}
	if set.Capacity > 0 || !s.needsCapacity {
		return nil
	}
	c, err := LoadCapacity(s.dir)
	if err == nil {
		err = c.For(set.Slots, set.ServiceTime)
	}
	if err != nil {
		return &UsageError{err}
	}
	set.Capacity = c.PerSecond
	if c.Verdict != Holds {
		s.Doubt("the capacity was measured in a run that was itself %q: %s", c.Verdict, howToMeasure)
	}
	return nil
}

// maxWorkSlower is how much slower than asked the work may be. A sleep takes up to
// about 1 ms more than it was asked to: 2 % of the default service time.
const maxWorkSlower = 0.05

// Run runs trials side by side: they only sleep, so they do not slow each other
// down as long as their sends are on time. It examines each, and adds a row for it.
func (s *Step) Run(ctx context.Context, trials ...Trial) ([]Summary, error) {
	runs, err := s.Measure(ctx, trials...)
	for _, r := range runs {
		s.Row(r)
	}
	return runs, err
}

// Measure is Run without the rows, for a step whose rows say more.
func (s *Step) Measure(ctx context.Context, trials ...Trial) ([]Summary, error) {
	var longest time.Duration
	for _, t := range trials {
		if err := t.validate(); err != nil {
			return nil, &UsageError{err}
		}
		longest = max(longest, t.Load.Duration+t.Load.Patience)
	}
	return s.SideBySide(longest, len(trials), func(i int) (Summary, error) { return trials[i].Run(ctx) })
}

// SideBySide is Measure for what no [Trial] can carry. It calls run for each i below
// n, shows how much of length has passed, and examines what they return.
func (s *Step) SideBySide(length time.Duration, n int, run func(i int) (Summary, error)) ([]Summary, error) {
	stopProgress := s.Progress(length)
	runs, errs := make([]Summary, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { runs[i], errs[i] = run(i) })
	}
	wg.Wait()
	stopProgress()
	for _, err := range errs {
		if err != nil {
			return nil, err // the others are most likely the same
		}
	}
	s.Examine(runs...)
	return runs, nil
}

// Examine adds a doubt for whatever says more about the machine than about the
// service: sends that were late, work that was slow, requests that could not be
// sent, or not at the asked rate. Of several runs with the same fault it names the worst.
func (s *Step) Examine(runs ...Summary) {
	if r, others := worst(runs, func(r Summary) float64 { return float64(r.LateP99 / ToMillis(r.LateBound())) }); r != nil {
		s.Busy("the sends of %q%s were late: p99 %s ms, want at most %s ms",
			r.Policy, others, r.LateP99, ToMillis(r.LateBound()))
	}
	if r, others := worst(runs, func(r Summary) float64 { return r.WorkSlower / maxWorkSlower }); r != nil {
		s.Busy("the work of %q%s took %.0f%% longer than asked, want at most %.0f%%",
			r.Policy, others, 100*r.WorkSlower, 100*maxWorkSlower)
	}
	own := func(r Summary) float64 { return 1 + float64(CountFailures(r.samples).Own()) }
	if r, others := worst(runs, own); r != nil {
		s.Doubt("requests of %q%s never left this machine: %s", r.Policy, others, CountFailures(r.samples))
	}
	missing := func(r Summary) float64 {
		if !r.Complete() {
			return 0 // cut short
		}
		return 0.95 * r.load.Rate / r.SentRate
	}
	if r, others := worst(runs, missing); r != nil {
		s.Doubt("%q%s sent only %.1f of %.1f requests per second: the generator was the bottleneck",
			r.Policy, others, r.SentRate, r.load.Rate)
	}
}

// worst returns the run with the largest fault, if that is above 1, which is the
// most it may be, and in words how many others are above it too.
func worst(runs []Summary, fault func(Summary) float64) (most *Summary, others string) {
	n := 0
	for i := range runs {
		if !(fault(runs[i]) > 1) { // NaN: nothing was sent
			continue
		}
		n++
		if most == nil || fault(runs[i]) > fault(*most) {
			most = &runs[i]
		}
	}
	if n > 1 {
		others = fmt.Sprintf(" and %d more", n-1)
	}
	return most, others
}
