package lab

import (
	"fmt"
	"slices"
	"strings"
)

// A Verdict is what a run has to say about a claim.
type Verdict string

const (
	Holds        Verdict = "holds"
	DoesNotHold  Verdict = "does not hold"
	Inconclusive Verdict = "inconclusive" // the run cannot tell
	Found        Verdict = "found"        // nothing was claimed, and this is what there is
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
	if c.Wanted == "" {
		return Wrap(fmt.Sprintf("%-13s %s: %s", c.Verdict, c.Claim, c.Measured), 14)
	}
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
	busy   bool // one of the doubts is about the machine
}

// Add holds a claim against what was measured: it holds if ok.
func (c *Checks) Add(claim string, ok bool, measured, wanted string) {
	v := DoesNotHold
	if ok {
		v = Holds
	}
	c.list = append(c.list, Check{claim, measured, wanted, v})
}

// Find adds what the run found out about something of which nothing was claimed.
func (c *Checks) Find(what, measured string) {
	c.list = append(c.list, Check{Claim: what, Measured: measured, Verdict: Found})
}

// Doubt says why this run cannot tell, such as a machine that was too busy.
// With a doubt no claim holds and none fails: luck is no evidence either.
func (c *Checks) Doubt(format string, args ...any) {
	c.doubts = append(c.doubts, fmt.Sprintf(format, args...))
}

// Busy is [Checks.Doubt] for a machine that was too busy to tell.
func (c *Checks) Busy(format string, args ...any) {
	c.busy = true
	c.Doubt(format+tooBusy, args...)
}

const tooBusy = "; the machine is too busy"

// Results returns the checks with their verdicts, and the verdict on them all,
// which is Found if there are findings and no claims, and Inconclusive if there is
// neither: to claim nothing is no success.
func (c *Checks) Results() ([]Check, Verdict) {
	all := Holds
	if c.onlyFindings() {
		all = Found
	}
	results := make([]Check, len(c.list))
	for i, check := range c.list {
		if len(c.doubts) > 0 {
			check.Verdict = Inconclusive
		}
		if check.Verdict == DoesNotHold {
			all = DoesNotHold
		}
		results[i] = check
	}
	if len(c.doubts) > 0 || len(c.list) == 0 {
		all = Inconclusive
	}
	return results, all
}

func (c *Checks) onlyFindings() bool {
	return len(c.list) > 0 && !slices.ContainsFunc(c.list, func(check Check) bool { return check.Verdict != Found })
}

// String has a line for every check and one for every doubt.
func (c *Checks) String() string {
	var lines strings.Builder
	results, _ := c.Results()
	for _, check := range results {
		fmt.Fprintln(&lines, check)
	}
	for _, doubt := range c.doubts {
		fmt.Fprintln(&lines, Wrap("inconclusive because "+doubt, 14))
	}
	return lines.String()
}
