package labtest

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/sheddinglab/lab"
)

// Controller is what the kit needs of a controller.
type Controller interface {
	lab.Admitter
	Stats() lab.Stats
}

// A Constructor returns a new controller with all slots free, or an error if
// the limits make no sense. When it returns an error the controller is not
// looked at.
type Constructor func(lab.Limits) (Controller, error)

// A Behaviour is one rule that a controller must keep, and the check of it.
type Behaviour struct {
	Number int    // the position in the list; 5 is not used
	Name   string // a sentence, such as "a full line turns away immediately"
	Rule   string // what must be so, and why it matters in production
	Look   string // where in the controller to look when the check fails

	check func(c *crew)
}

// String returns the number and the name.
func (b Behaviour) String() string { return fmt.Sprintf("%d %s", b.Number, b.Name) }

// Check builds controllers with new, uses them, and returns nil or an error
// that says what was measured, what was wanted, the rule, and where to look.
//
// It works on the wall clock, where it needs well under a second unless the
// controller is broken, and in a bubble of [testing/synctest], where it is exact
// and needs no time. A machine that stalls for 20 ms may fail a check on the wall
// clock, and none in a bubble. Checks share nothing: they may run side by side.
// Everything a check starts has ended when it returns, or the error says that it
// has not.
func (b Behaviour) Check(new Constructor) error {
	m := run(new, b.check)
	if m == nil {
		return nil
	}
	var s strings.Builder
	fmt.Fprintln(&s, b)
	for _, part := range []struct{ label, text string }{
		{"measured:", m.measured},
		{"wanted:", m.wanted},
		{"rule:", b.Rule},
		{"look at:", b.Look},
	} {
		writeWrapped(&s, part.label, part.text)
	}
	return fmt.Errorf("%s", strings.TrimSuffix(s.String(), "\n"))
}

// writeWrapped writes text in lines of at most 80 columns beside its label.
func writeWrapped(s *strings.Builder, label, text string) {
	line := fmt.Sprintf("    %-9s", label)
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > 80 {
			fmt.Fprintln(s, line)
			line = strings.Repeat(" ", 13)
		}
		line += " " + word
	}
	fmt.Fprintln(s, line)
}

// Run checks every behaviour in a subtest, each in a [testing/synctest] bubble
// of its own.
func Run(t *testing.T, new Constructor) {
	for _, b := range Behaviours() {
		t.Run(b.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if err := b.Check(new); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
