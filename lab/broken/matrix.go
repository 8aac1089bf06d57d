package broken

import (
	"errors"
	"fmt"
	"strings"

	"example.com/sheddinglab/lab/labtest"
)

// A Matrix is what each of several behaviours has to say about each of several
// controllers.
type Matrix struct {
	Controllers []Variant
	Behaviours  []labtest.Behaviour

	// Failures has a row for each controller and in it a failure for each
	// behaviour: nil if the controller keeps the rule, or ErrNotChecked.
	Failures [][]error
}

// ErrNotChecked stands for a check that was not made.
var ErrNotChecked = errors.New("not checked")

// Caught returns the behaviours that catch Controllers[c].
func (m Matrix) Caught(c int) []labtest.Behaviour {
	var by []labtest.Behaviour
	for b, err := range m.Failures[c] {
		if mark(err) == caught {
			by = append(by, m.Behaviours[b])
		}
	}
	return by
}

// Catches returns the controllers that Behaviours[b] catches.
func (m Matrix) Catches(b int) []Variant {
	var whom []Variant
	for c, row := range m.Failures {
		if mark(row[b]) == caught {
			whom = append(whom, m.Controllers[c])
		}
	}
	return whom
}

// The marks in the matrix.
const (
	caught     = "x"
	notCaught  = "."
	notChecked = "?"
)

func mark(err error) string {
	switch err {
	case nil:
		return notCaught
	case ErrNotChecked:
		return notChecked
	default:
		return caught
	}
}

// String is a table of at most 80 columns, with the names of the behaviours below.
func (m Matrix) String() string {
	var s strings.Builder
	tens, units := "? = not checked  ", "x = caught by    "
	for _, b := range m.Behaviours {
		digits := fmt.Sprintf("%2d", b.Number)
		tens += " " + digits[:1]
		units += " " + digits[1:]
	}
	fmt.Fprintf(&s, "%s\n%s  what a graph would have shown\n", tens, units)
	for c, v := range m.Controllers {
		row := fmt.Sprintf("%-17s", v.Name)
		for _, err := range m.Failures[c] {
			row += " " + mark(err)
		}
		fmt.Fprintln(&s, strings.TrimRight(row+"  "+v.Graph, " "))
	}
	line := ""
	for _, b := range m.Behaviours {
		if line != "" && len(line+"  "+b.String()) > 80 {
			fmt.Fprintln(&s, line)
			line = ""
		}
		if line != "" {
			line += "  "
		}
		line += b.String()
	}
	fmt.Fprintln(&s, line)
	return s.String()
}
