package lab

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A flagSet is a [flag.FlagSet] whose flags say what they want when they get
// something else.
type flagSet struct {
	*flag.FlagSet
	parameters []parameter // in the order they were defined
	files      *[]string   // takes the arguments after the flags; nil if there may be none
}

// A parameter is a constant that makes the picture of a step: a flag, shown with
// its value at the head of the output and in the JSON document.
type parameter struct {
	flag string
	key  string // in JSON, with its unit
	text func() string
	json func() any
}

// parse is Parse with errors of one line, and none of its own output but after -h,
// when it prints the usage, headed by title, to stdout.
func (s *flagSet) parse(args []string, title string, stdout io.Writer) error {
	s.SetOutput(io.Discard)
	err := s.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "%s\nFlags:\n", title)
		s.SetOutput(stdout)
		s.PrintDefaults()
		return err
	case err != nil:
		return usagef("%w; -h lists the flags", err)
	case s.files == nil && s.NArg() > 0:
		return usagef("unexpected argument %q; -h lists the flags", s.Arg(0))
	}
	for _, arg := range s.Args() {
		if strings.HasPrefix(arg, "-") {
			return usagef("flag %q after a file name: put the flags before the files", arg)
		}
		*s.files = append(*s.files, arg)
	}
	return nil
}

// flagValue makes a [flag.Value] of a parser and a printer.
type flagValue struct {
	set  func(string) error
	text func() string
}

func (v flagValue) Set(s string) error { return v.set(s) }

func (v flagValue) String() string {
	if v.text == nil { // package flag asks a zero value for its text
		return ""
	}
	return v.text()
}

func (s *flagSet) parameter(name, unit, usage string, set func(string) error, text func() string, json func() any) {
	s.parameters = append(s.parameters, parameter{
		flag: name,
		key:  strings.ReplaceAll(name, "-", "_") + unit,
		text: text,
		json: json,
	})
	s.Var(flagValue{set, text}, name, usage)
}

func (s *flagSet) intVar(p *int, name, usage string) {
	const most = 100_000 // nothing in the lab makes sense, or fits in memory, beyond it
	s.parameter(name, "", usage, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("want a whole number from 1 to %d", most)
		}
		*p = n
		return nil
	}, func() string { return strconv.Itoa(*p) }, func() any { return *p })
}

// floatVar shows unset for a value of 0, which no flag can give.
func (s *flagSet) floatVar(p *float64, name, suffix, unset, usage string) {
	s.parameter(name, suffix, usage, func(text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0 && x <= 1e9) {
			return errors.New("want a number above 0 and at most 1e9")
		}
		*p = x
		return nil
	}, func() string {
		if *p == 0 {
			return unset
		}
		return strconv.FormatFloat(*p, 'g', -1, 64)
	}, func() any {
		if *p == 0 {
			return nil
		}
		return *p
	})
}

func (s *flagSet) durationVar(p *time.Duration, name string, unit, least time.Duration, usage string) {
	suffix, bound := "_s", "from 0s to 24h"
	if unit == time.Millisecond {
		suffix = "_ms"
	}
	if least > 0 {
		bound = "above 0s, up to 24h"
	}
	s.parameter(name, suffix, usage, func(text string) error {
		d, err := parseDuration(text)
		if err != nil || d < least || d > maxDuration {
			return fmt.Errorf("want a duration %s, such as 50ms, 1.5s or a number of seconds", bound)
		}
		*p = d
		return nil
	}, func() string { return p.String() }, func() any { return float64(*p) / float64(unit) })
}

// The limits of a [Controller] as flags: a number, or none for NoLimit.

func (s *flagSet) countLimitVar(p *int, name, usage string) {
	s.parameter(name, "", usage, func(text string) error {
		n, err := strconv.Atoi(text)
		if text == none {
			n, err = NoLimit, nil
		} else if n < 0 {
			err = strconv.ErrRange
		}
		if err != nil {
			return errors.New("want a whole number, 0 or more, or none")
		}
		*p = n
		return nil
	}, func() string { return orNone(*p == NoLimit, strconv.Itoa(*p)) }, func() any { return *p })
}

func (s *flagSet) waitLimitVar(p *time.Duration, name, usage string) {
	s.parameter(name, "_ms", usage, func(text string) error {
		d, err := parseDuration(text)
		if text == none {
			d, err = NoLimit, nil
		} else if d < 0 || d > maxDuration {
			err = strconv.ErrRange
		}
		if err != nil {
			return errors.New("want a duration from 0s to 24h, such as 300ms or a number of seconds, or none")
		}
		*p = d
		return nil
	}, func() string { return orNone(*p == NoLimit, p.String()) }, func() any { return *p })
}

const none = "none"

func orNone(yes bool, text string) string {
	if yes {
		return none
	}
	return text
}

// choiceVar is one of a few words.
func (s *flagSet) choiceVar(p *string, name, usage string, words ...string) {
	usage += ": " + strings.Join(words, ", ")
	s.parameter(name, "", usage, func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("want one of %s", strings.Join(words, ", "))
		}
		*p = text
		return nil
	}, func() string { return *p }, func() any { return *p })
}

// fromEnvironment sets every flag whose name, in capitals and with underscores,
// is that of an environment variable.
func (s *flagSet) fromEnvironment(lookup func(string) (string, bool)) error {
	for _, p := range s.parameters {
		name := strings.ToUpper(strings.ReplaceAll(p.flag, "-", "_"))
		value, ok := lookup(name)
		if !ok {
			continue
		}
		if err := s.Set(p.flag, value); err != nil {
			return usagef("invalid value %q for the environment variable %s: %w", value, name, err)
		}
	}
	return nil
}

func (s *flagSet) boolVar(name, usage string) *bool {
	p := s.Bool(name, false, usage)
	s.parameters = append(s.parameters, parameter{
		flag: name,
		key:  strings.ReplaceAll(name, "-", "_"),
		text: func() string { return strconv.FormatBool(*p) },
		json: func() any { return *p },
	})
	return p
}

// maxDuration bounds every duration in the lab, so that sums of them fit.
const maxDuration = 24 * time.Hour

// parseDuration reads a Go duration or a plain number of seconds.
func parseDuration(text string) (time.Duration, error) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return time.ParseDuration(text)
	}
	return Seconds(seconds), nil
}

// Seconds is s seconds, to the nanosecond. What no [time.Duration] can hold
// becomes the longest one, of its sign; NaN becomes 0.
func Seconds(s float64) time.Duration {
	switch ns := math.Round(s * float64(time.Second)); {
	case math.IsNaN(ns):
		return 0
	case ns >= math.MaxInt64:
		return math.MaxInt64
	case ns <= math.MinInt64:
		return math.MinInt64
	default:
		return time.Duration(ns)
	}
}
