//go:build unix

package main

import "regexp"

// An outcome is what the end of a command means.
type outcome int

const (
	ok           outcome = iota
	inconclusive         // the machine was too busy to tell
	claimFailed          // as it may, now and then, on a machine that others use too
	fault
)

var (
	doesNotHold = regexp.MustCompile(`(?m)^verdict: does not hold\b`)
	passedOn    = regexp.MustCompile(`(?m)^(?:make(?:\[\d+\])?: \*\*\* .*Error|exit status) (\d+)$`)
)

// judge tells from the exit status of a command, and from what it wrote, how it ended.
// make ends with 2 and go run with 1, and both write the status of what they ran.
func judge(status int, output string) outcome {
	if all := passedOn.FindAllStringSubmatch(output, -1); all != nil && (status == 1 || status == 2) {
		switch all[len(all)-1][1] { // the last word is that of the command itself
		case "1":
			status = 1
		case "3":
			status = 3
		}
	}
	switch {
	case status == 0:
		return ok
	case status == 3:
		return inconclusive
	case status == 1 && doesNotHold.MatchString(output):
		return claimFailed
	}
	return fault
}
