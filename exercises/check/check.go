// Package check tells a reader whether an exercise is done.
//
// There is a function for each exercise, which the exercise's test calls with what
// the reader has written. It holds that against a few rules, each in a bubble of
// [testing/synctest], and stops at the first one that is not kept: it says what was
// measured, what was wanted, and where to look.
//
// The rules are about behaviour alone, so that any honest solution passes. What they
// cannot see is what it costs, and races that are rarer than their rounds.
package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// A rule is something that must be so.
type rule struct {
	name  string       // a sentence
	check func() error // in a bubble; nil, or what [wrong] returns
}

// keep fails t at the first of the rules that is not kept.
func keep(t *testing.T, rules []rule) {
	t.Helper()
	for i, r := range rules {
		kept := t.Run(r.name, func(t *testing.T) {
			t.Helper()
			if err := r.inBubble(t); err != nil {
				t.Errorf("%s\n%v", r.name, err)
			}
		})
		if !kept {
			t.Logf("this is rule %d of %d; those after it are looked at when it is kept", i+1, len(rules))
			return
		}
	}
}

// stuck is how long a check may take on the wall clock, where it needs a second.
const stuck = 30 * time.Second

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
	defer func() {
		if deadlock := recover(); deadlock != nil { // a panic of r.check would end the program
			err = errors.Join(err, wrong(fmt.Sprintf("some calls never return: %v", deadlock), "every call returns",
				"every way on which something is waited for: who ends that wait, and does that always happen?"))
		}
	}()
	synctest.Test(t, func(*testing.T) { err = r.check() })
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
func kit(new labtest.Constructor) []rule {
	var rules []rule
	for _, b := range labtest.Behaviours() {
		rules = append(rules, rule{b.String(), func() error { return b.Check(new) }})
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
