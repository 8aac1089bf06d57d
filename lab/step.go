package lab

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
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

	flags    flagSet
	asJSON   bool
	dir      string    // of what is kept between steps
	settings *Settings // nil in a step that shares none

	needsCapacity bool // from the disk, unless a flag gives it

	stdout, stderr io.Writer
	notes          []string // the text between the parameters and the checks
	rows           []any
}

// Settings are the constants that most steps share.
type Settings struct {
	Slots         int
	ServiceTime   time.Duration // of the pretend work
	ClientTimeout time.Duration // the clients' patience
	Duration      time.Duration // how long requests keep coming
	WarmUp        time.Duration // left out of the steady goodput
	Capacity      float64       // requests per second, as step 1 measured it
}

// Defaults of the settings: a service that can finish 80 requests a second.
const (
	DefaultSlots         = 4
	DefaultServiceTime   = 50 * time.Millisecond
	DefaultClientTimeout = time.Second
)

// NewStep starts step number, which lives in a directory of that number and name.
func NewStep(number int, name, question string) *Step {
	s := &Step{number: number, name: name, question: question}
	s.flags.FlagSet = flag.NewFlagSet(s.dirName(), flag.ContinueOnError)
	s.flags.BoolVar(&s.asJSON, "json", false, "print one JSON document instead of text")
	s.flags.StringVar(&s.dir, "out", defaultOut(), "`directory` of what is kept between steps")
	return s
}

func (s *Step) dirName() string { return fmt.Sprintf("%02d-%s", s.number, s.name) }

// Settings defines the shared flags. The values are there after Begin.
func (s *Step) Settings(duration time.Duration) *Settings {
	s.needsCapacity = true
	return s.settingsFlags(duration, "as step 1 measured it")
}

// SettingsToMeasure is Settings for a step that measures the capacity itself:
// Capacity is 0 unless -capacity is given, and the step sets it.
func (s *Step) SettingsToMeasure(duration time.Duration) *Settings {
	return s.settingsFlags(duration, "measured")
}

func (s *Step) settingsFlags(duration time.Duration, capacity string) *Settings {
	set := &Settings{
		Slots:         DefaultSlots,
		ServiceTime:   DefaultServiceTime,
		ClientTimeout: DefaultClientTimeout,
		Duration:      duration,
		WarmUp:        time.Second,
	}
	s.flags.intVar(&set.Slots, "slots", "requests worked on at the same time")
	s.flags.durationVar(&set.ServiceTime, "service-time", time.Millisecond, 1, "how long the pretend work takes")
	s.flags.durationVar(&set.ClientTimeout, "client-timeout", time.Millisecond, 1, "the clients' patience")
	s.flags.durationVar(&set.Duration, "duration", time.Second, 1, "how long requests keep coming")
	s.flags.durationVar(&set.WarmUp, "warm-up", time.Second, 0, "left out of the steady goodput")
	s.flags.floatVar(&set.Capacity, "capacity", "_rps", capacity, "requests per second that the service can finish")
	s.settings = set
	return set
}

// Int defines a parameter that is a whole number above 0.
func (s *Step) Int(name string, value int, usage string) *int {
	s.flags.intVar(&value, name, usage)
	return &value
}

// Float defines a parameter that is a number above 0 and at most a billion.
func (s *Step) Float(name string, value float64, usage string) *float64 {
	s.flags.floatVar(&value, name, "", "", usage)
	return &value
}

// Millis defines a parameter that is a duration above 0, in JSON in milliseconds.
func (s *Step) Millis(name string, value time.Duration, usage string) *time.Duration {
	s.flags.durationVar(&value, name, time.Millisecond, 1, usage)
	return &value
}

// Seconds defines a parameter that is a duration above 0, in JSON in seconds.
func (s *Step) Seconds(name string, value time.Duration, usage string) *time.Duration {
	s.flags.durationVar(&value, name, time.Second, 1, usage)
	return &value
}

// Bool defines a parameter that is off unless its flag is given.
func (s *Step) Bool(name, usage string) *bool {
	return s.flags.boolVar(name, usage)
}

// Begin reads the command line and prints the question and the parameters. Its
// errors are a [*UsageError], and [flag.ErrHelp] after -h.
func (s *Step) Begin(args []string, stdout, stderr io.Writer) error {
	s.stdout, s.stderr = stdout, stderr
	if err := s.parse(args); err != nil {
		return err
	}
	if s.asJSON {
		return nil
	}
	var parameters strings.Builder
	for _, p := range s.flags.parameters {
		fmt.Fprintf(&parameters, " -%s=%s", p.flag, p.text())
	}
	_, err := fmt.Fprintf(stdout, "%s\n%s\n\n", s.title(), wrap("parameters:"+parameters.String(), 12))
	return err
}

func (s *Step) title() string {
	return wrap(fmt.Sprintf("Step %d, %s: %s", s.number, s.name, s.question), 0)
}

func (s *Step) parse(args []string) error {
	if err := s.flags.parse(args, s.title(), s.stdout); err != nil || s.settings == nil {
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

// Print shows a table, which JSON has as rows.
func (s *Step) Print(table string) {
	if !s.asJSON {
		fmt.Fprintln(s.stdout, table)
	}
}

// Printf shows a paragraph, which is a note in JSON.
func (s *Step) Printf(format string, args ...any) {
	note := fmt.Sprintf(format, args...)
	s.notes = append(s.notes, note)
	if !s.asJSON {
		fmt.Fprintln(s.stdout, wrap(note, 0)+"\n")
	}
}

// maxWorkSlower is how much slower than asked the work may be. A sleep takes up to
// about 1 ms more than it was asked to: 2 % of the default service time.
const maxWorkSlower = 0.05

// Row adds a row to the JSON document.
func (s *Step) Row(row any) { s.rows = append(s.rows, row) }

// Run runs trials side by side: they only sleep, so they do not slow each other
// down as long as their sends are on time. It examines each.
func (s *Step) Run(ctx context.Context, trials ...Trial) ([]Summary, error) {
	var longest time.Duration
	for _, t := range trials {
		if err := t.validate(); err != nil {
			return nil, &UsageError{err}
		}
		longest = max(longest, t.Load.Duration+t.Load.Patience)
	}
	runs, err := s.SideBySide(longest, len(trials), func(i int) (Summary, error) { return trials[i].Run(ctx) })
	for _, r := range runs {
		s.Row(r)
	}
	return runs, err
}

// SideBySide is Run for what no [Trial] can carry. It calls run for each i below
// n, shows how much of length has passed, and examines what they return. Rows
// are left to the caller.
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
	for _, r := range runs {
		s.Examine(r)
	}
	return runs, nil
}

// Examine adds a doubt for whatever in r says more about the machine than about
// the service: sends that were late, work that was slow, requests that were not
// sent at the asked rate.
func (s *Step) Examine(r Summary) {
	if late := r.LateP99; late > ToMillis(r.LateBound()) {
		s.Doubt("the sends of %q were late: p99 %s ms, want at most %s ms; the machine is too busy",
			r.Policy, late, ToMillis(r.LateBound()))
	}
	if r.WorkSlower > maxWorkSlower {
		s.Doubt("the work of %q took %.0f%% longer than asked, want at most %.0f%%; the machine is too busy",
			r.Policy, 100*r.WorkSlower, 100*maxWorkSlower)
	}
	if r.SentRate < 0.95*r.load.Rate && r.Complete() {
		s.Doubt("%q sent only %.1f of %.1f requests per second: the generator was the bottleneck",
			r.Policy, r.SentRate, r.load.Rate)
	}
}

// Table prints the table of the runs, and how late their sends were.
func (s *Step) Table(runs ...Summary) {
	s.Print(SummaryTable(runs...) + Lateness(runs...))
}

// Lateness is the line under a table that says how late the sends of the runs
// were, and how slow the work.
func Lateness(runs ...Summary) string {
	var p99, worst Millis
	var slower float64
	for _, r := range runs {
		p99, worst, slower = max(p99, r.LateP99), max(worst, r.LateMax), max(slower, r.WorkSlower)
	}
	return fmt.Sprintf("sent late: p99 %.1f ms, worst %.1f ms; work slower than asked: %.1f%%\n",
		float64(p99), float64(worst), 100*slower)
}

// End prints the checks, the verdict and the next command. It returns nil if
// every claim holds, and otherwise [ErrDoesNotHold], [ErrInconclusive], or
// [ErrInterrupted] if ctx has ended.
func (s *Step) End(ctx context.Context, next string) error {
	if ctx.Err() != nil {
		s.Doubt("the run was cut short")
	}
	checks, verdict := s.Results()
	var outcome error
	switch {
	case ctx.Err() != nil:
		outcome, next = ErrInterrupted, "run this step again, to its end"
	case verdict == Inconclusive:
		outcome, next = ErrInconclusive, "mend what the checks name, then run this step again"
	case verdict == DoesNotHold:
		outcome = ErrDoesNotHold
		next = "compare the parameters with the defaults (-h), then read steps/" + s.dirName() + "/main.go"
	}
	if err := s.report(checks, verdict, ctx.Err() == nil, next); err != nil {
		return err
	}
	return outcome
}

// EndWithCapacity is End for the step that measures the capacity: unless ctx has
// ended, it keeps the figure for the later steps, together with the verdict.
func (s *Step) EndWithCapacity(ctx context.Context, slots int, serviceTime time.Duration, perSecond float64, next string) error {
	var failed error
	if ctx.Err() == nil {
		_, verdict := s.Results()
		c := Capacity{
			PerSecond:     math.Round(perSecond*10) / 10, // as it is shown
			Slots:         slots,
			ServiceTimeMS: float64(ToMillis(serviceTime)),
			Verdict:       verdict,
		}
		if failed = c.Save(s.dir); failed == nil {
			s.Printf("Kept for the later steps in %s: %v/s.", capacityFile(s.dir), c.PerSecond)
		}
	}
	err := s.End(ctx, next)
	if failed != nil {
		return usagef("the capacity above could not be kept in -out %s: %w", s.dir, failed)
	}
	return err
}

func (s *Step) report(checks []Check, verdict Verdict, complete bool, next string) error {
	if s.asJSON {
		parameters := map[string]any{}
		for _, p := range s.flags.parameters {
			parameters[p.key] = p.json()
		}
		out := json.NewEncoder(s.stdout)
		out.SetIndent("", "  ")
		return out.Encode(document{s.number, s.name, s.question, complete, parameters, s.rows, s.notes, checks, verdict})
	}
	fmt.Fprintf(s.stdout, "Checks before moving on:\n%s\n", &s.Checks)
	_, err := fmt.Fprintf(s.stdout, "verdict: %s\n%s\n", verdict, wrap("next:    "+next, 9))
	return err
}

// document is the report as JSON.
type document struct {
	Step       int            `json:"step"`
	Name       string         `json:"name"`
	Question   string         `json:"question"`
	Complete   bool           `json:"complete"`
	Parameters map[string]any `json:"parameters"`
	Rows       []any          `json:"rows"`
	Notes      []string       `json:"notes"`
	Checks     []Check        `json:"checks"`
	Verdict    Verdict        `json:"verdict"`
}
