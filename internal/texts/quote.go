package texts

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"example.com/sheddinglab/lab"
)

// An extract is a file and the words that begin and end what is quoted of it.
var extract = regexp.MustCompile(`^([^ ,]+)(?:, from "(.+)" to "(.+)")?$`)

// golden quotes the output of a program.
func (w weaver) golden(what string) ([]string, error) {
	m := extract.FindStringSubmatch(what)
	if m == nil {
		return nil, fmt.Errorf("want FILE or FILE, from %q to %q", "WORDS", "WORDS")
	}
	output, err := w.read(m[1])
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	if m[2] == "" {
		return lines, nil
	}
	return between(lines, m[2], m[3], math.MaxInt)
}

// between returns the lines from the one that begins with from to the next that ends
// with to and is at most so much deeper indented.
func between(lines []string, from, to string, deeper int) ([]string, error) {
	begin := -1
	for i, line := range lines {
		if !strings.HasPrefix(strings.TrimSpace(line), from) {
			continue
		}
		if begin >= 0 {
			return nil, fmt.Errorf("lines %d and %d begin with %q: want words that only one begins with", begin+1, i+1, from)
		}
		begin = i
	}
	if begin < 0 {
		return nil, fmt.Errorf("no line begins with %q", from)
	}
	for i, line := range lines[begin:] {
		if strings.HasSuffix(line, to) && depth(line)-depth(lines[begin]) <= deeper {
			return lines[begin : begin+i+1], nil
		}
	}
	return nil, fmt.Errorf("no line from %q on ends with %q", from, to)
}

// depth is the number of characters that line is indented by.
func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// checks quotes the claims of a step and what it wants of them.
func (w weaver) checks(file string) ([]string, error) {
	document, err := w.read(file)
	if err != nil {
		return nil, err
	}
	var d struct{ Checks []lab.Check }
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	var list []string
	for _, c := range d.Checks {
		if c.Verdict != lab.Found { // that is no claim
			list = append(list, fmt.Sprintf("- %s: want %s", c.Claim, c.Wanted))
		}
	}
	if list == nil {
		return nil, errors.New("there are no claims in it")
	}
	return list, nil
}
