package lab

import (
	"fmt"
	"time"
)

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

// Choice defines a parameter that is one of a few words, the first by default.
func (s *Step) Choice(name, usage string, words ...string) *string {
	value := words[0]
	s.flags.choiceVar(&value, name, usage, words...)
	return &value
}

// Bool defines a parameter that is off unless its flag is given.
func (s *Step) Bool(name, usage string) *bool {
	return s.flags.boolVar(name, usage)
}

// Default gives a flag that is defined already another default, for a step in which
// a shared setting has another value than in the others. It panics if there is no
// such flag, or it cannot have that value.
func (s *Step) Default(name, value string) {
	if err := s.flags.Set(name, value); err != nil {
		panic(fmt.Sprintf("lab: the default of -%s: %v", name, err))
	}
	s.flags.Lookup(name).DefValue = value
}

// Alias gives a flag that is defined already a second name.
func (s *Step) Alias(name, of string) {
	s.flags.Var(s.flags.Lookup(of).Value, name, "the same as -"+of)
}
