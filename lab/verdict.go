package lab

import (
	"fmt"
	"strings"
)

// A Verdict is what a run has to say about a claim.
type Verdict string

const (
	Holds        Verdict = "holds"
	DoesNotHold  Verdict = "does not hold"
	Inconclusive Verdict = "inconclusive" // the run cannot tell
)

// A Check is one claim held against what was measured.
type Check struct {
	Claim    string  `json:"claim"`
	Measured string  `json:"measured"`
	Wanted   string  `json:"wanted"`
	Verdict  Verdict `json:"verdict"`
}

// String is one line, or two where one would be wider than 80 columns.
func (c Check) String() string {
	line := fmt.Sprintf("%-13s %s: %s", c.Verdict, c.Claim, c.Measured)
	want := fmt.Sprintf("(want %s)", c.Wanted)
	if len(line)+1+len(want) > screen {
		return line + "\n              " + want
	}
	return line + " " + want
}

// Checks are the claims of one step, and the doubts about the run they were
// measured in. The zero value is ready to use; not safe for concurrent use.
type Checks struct {
	list   []Check
	doubts []string
}

// Add holds a claim against what was measured: it holds if ok.
func (c *Checks) Add(claim string, ok bool, measured, wanted string) {
	v := DoesNotHold
	if ok {
		v = Holds
	}
	c.list = append(c.list, Check{claim, measured, wanted, v})
}

// Doubt says why this run cannot tell, such as a machine that was too busy.
// With a doubt no claim holds and none fails: luck is no evidence either.
func (c *Checks) Doubt(format string, args ...any) {
	c.doubts = append(c.doubts, fmt.Sprintf(format, args...))
}

// Results returns the checks with their verdicts, and the verdict on them all.
func (c *Checks) Results() ([]Check, Verdict) {
	all := Holds
	results := make([]Check, len(c.list))
	for i, check := range c.list {
		if len(c.doubts) > 0 {
			check.Verdict = Inconclusive
		}
		if check.Verdict != Holds {
			all = check.Verdict
		}
		results[i] = check
	}
	if len(c.doubts) > 0 {
		all = Inconclusive
	}
	return results, all
}

// String has a line for every check and one for every doubt.
func (c *Checks) String() string {
	var lines strings.Builder
	results, _ := c.Results()
	for _, check := range results {
		fmt.Fprintln(&lines, check)
	}
	for _, doubt := range c.doubts {
		fmt.Fprintln(&lines, wrap("inconclusive because "+doubt, 14))
	}
	return lines.String()
}
