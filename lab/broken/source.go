package broken

import (
	_ "embed"
	"strings"
)

//go:embed parts.go
var partsSource string

//go:embed leaky.go
var leakySource string

// LeakyDiff returns the lines in which func leaky differs from func acquire, which
// is correct. Those of acquire begin with a minus sign, those of leaky with a plus
// sign.
func LeakyDiff() []string {
	correct, leaky := body(partsSource, "acquire"), body(leakySource, "leaky")
	for len(correct) > 0 && len(leaky) > 0 && correct[0] == leaky[0] {
		correct, leaky = correct[1:], leaky[1:]
	}
	var diff []string
	for _, line := range correct {
		diff = append(diff, "- "+line)
	}
	for _, line := range leaky {
		diff = append(diff, "+ "+line)
	}
	return diff
}

// body returns the lines inside the function with that name, without the tab that
// begins each of them, and with spaces for any other tab.
func body(source, name string) []string {
	_, source, _ = strings.Cut(source, "\nfunc "+name+"(")
	source, _, _ = strings.Cut(source, "\n}\n")
	lines := strings.Split(source, "\n")[1:] // the rest of the signature is before the first
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(strings.TrimPrefix(line, "\t"), "\t", "    ")
	}
	return lines
}
