// Package check tells a reader whether an exercise is done.
//
// There is a function for each exercise, which the exercise's test calls with what
// the reader has written. It holds that against a few rules, each in a bubble of
// [testing/synctest], and stops at the first one that is not kept: it says what was
// measured, what was wanted, and where to look.
//
// The rules are about behaviour alone, so that any honest solution passes. What they
// cannot see is what it costs, and races that are rarer than their rounds. The few
// rules that are about requests in the same instant try for a while, on the wall clock,
// and on a machine that is busy with other things they may try in vain.
package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// A rule is something that must be so.
type rule struct {
	name  string // a sentence
	often often
	check func() error // in a bubble; nil, or what [wrong] returns
}

// often is how often a check is made.
type often bool

const (
	once  often = false
	again often = true // and again, for a while: it is about requests that race
)

// keep fails t at the first of the rules that is not kept.
func keep(t *testing.T, rules []rule) {
	t.Helper()
	for i, r := range rules {
		kept := t.Run(r.name, func(t *testing.T) {
			t.Helper()
			if err := r.broken(t); err != nil {
				t.Errorf("%s\n%v", r.name, err)
			}
		})
		if !kept {
			t.Logf("this is rule %d of %d; those after it are looked at when it is kept", i+1, len(rules))
			return
		}
	}
}

// racing is for how long a check is repeated, on the wall clock.
var racing = 800 * time.Millisecond

// broken returns how r is not kept, or nil if it is kept.
func (r rule) broken(t *testing.T) error {
	if r.often == once {
		return r.inBubble(t)
	}
	// With one processor two goroutines are hardly ever in the same line of code.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	for start := time.Now(); time.Since(start) < racing; {
		if err := r.inBubble(t); err != nil {
			return err
		}
	}
	return nil
}

// stuck is how long a check may take on the wall clock, where it needs a second.
var stuck = 30 * time.Second

// inBubble checks r in virtual time. Goroutines that wait for each other for ever
// are a fault that is told like any other, and so is time that stands still.
func (r rule) inBubble(t *testing.T) (err error) {
	bell := time.AfterFunc(stuck, func() {
		fmt.Printf("%s\n%v\n", r.name, wrong(
			fmt.Sprintf("after %v on the wall clock no end, and virtual time stands still", stuck), "an end",
			"a loop that does not sleep, and a mutex that is held while its holder waits for something else."))
		os.Exit(1)
	})
	defer bell.Stop()
	returned := false
	defer func() {
		switch deadlock := recover(); { // a panic of r.check would end the program
		case deadlock == nil, err != nil:
		case returned:
			err = wrong("every call has returned, but goroutines are left behind that wait for ever",
				"none that outlives the call of Do that it was started for", "every go statement: what ends that goroutine?")
		default:
			err = wrong(fmt.Sprintf("some calls never return: %v", deadlock), "every call returns",
				"every way on which something is waited for: who ends that wait, and does that always happen?")
		}
	}()
	synctest.Test(t, func(*testing.T) {
		err = r.check()
		returned = true
	})
	return err
}

// wrong is a rule that is not kept, in lines of at most 76 columns.
func wrong(measured, wanted, look string) error {
	var s strings.Builder
	for _, part := range []struct{ label, text string }{
		{"measured:", measured}, {"wanted:", wanted}, {"look at:", look},
	} {
		line := fmt.Sprintf("    %-9s", part.label)
		for word := range strings.FieldsSeq(part.text) {
			if len(line)+1+len(word) > 76 {
				fmt.Fprintln(&s, line)
				line = strings.Repeat(" ", 13)
			}
			line += " " + word
		}
		fmt.Fprintln(&s, line)
	}
	return errors.New(strings.TrimSuffix(s.String(), "\n"))
}

// kit has a rule for every behaviour of package labtest.
func kit(newController labtest.Constructor) []rule {
	var rules []rule
	for _, b := range labtest.Behaviours() {
		rules = append(rules, rule{b.String(), once, func() error { return b.Check(newController) }})
	}
	return rules
}

// refusedLimits is the error for a constructor that returned err.
func refusedLimits(err error) error {
	return wrong(fmt.Sprintf("New returned the error %q", err), "a controller", "what New does with its limits.")
}

// send sends a load that there is nothing wrong with.
func send(l lab.OpenLoop, send func(context.Context) error) []lab.Sample {
	samples, err := l.Run(context.Background(), send)
	if err != nil {
		panic(err)
	}
	return samples
}
