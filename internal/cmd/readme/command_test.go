//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// text makes blocks of code of lines: a ~ is a backtick.
func text(lines ...string) string {
	return strings.ReplaceAll(strings.Join(lines, "\n"), "~", "`")
}

func TestParse(t *testing.T) {
	commands, err := parse(text(
		"# Title", "", "~~~sh", "make step-3    # a service", "", "  # a comment", `diff \`, "    a b", "~~~",
		"~make inline~", "~~~text", "make output", "~~~", "~~~go", "make()", "~~~",
		"<!-- keeps running -->", "~~~sh", "serve -addr 127.0.0.1:8080    # -h lists", "~~~",
		"~~~sh", "curl -i http://127.0.0.1:8080/work", "~~~"))
	require.NoError(t, err)
	assert.Equal(t, []command{
		{"make step-3    # a service", "", 4},
		{"diff     a b", "", 8},
		{"serve -addr 127.0.0.1:8080    # -h lists", "127.0.0.1:8080", 19},
		{"curl -i http://127.0.0.1:8080/work", "", 22},
	}, commands)
	assert.Equal(t, "README.md:4: make step-3", commands[0].String())
	assert.Equal(t, "README.md:19: serve -addr 127.0.0.1:8080 (keeps running)", commands[2].String())
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ marker, line, want string }{
		{"", "curl http://example.com/", `README.md:3: curl http://example.com/: it talks to "example.com", want loopback only`},
		{"", "curl https://192.0.2.1:8080/x", `it talks to "192.0.2.1"`},
		{"<!-- keeps running -->", "serve", "want an address in it such as 127.0.0.1:8080"},
		{"<!-- keeps running -->", "serve -addr 0.0.0.0:8080", "want an address in it such as 127.0.0.1:8080"},
	} {
		_, err := parse(text(tt.marker, "~~~sh", tt.line, "~~~"))
		assert.ErrorContains(t, err, tt.want, tt.line)
	}
}

func TestJudge(t *testing.T) {
	const (
		failed = "verdict: does not hold\n"
		unsure = "verdict: inconclusive\n"
		test   = "--- FAIL: TestX\n    verdict: does not hold\nFAIL\n"
	)
	for _, tt := range []struct {
		name   string
		status int
		output string
		want   outcome
	}{
		{"it holds", 0, "verdict: holds\n", ok},
		{"no step", 0, "", ok},
		{"a step cannot tell", 3, unsure, inconclusive},
		{"the same under make", 2, unsure + "make: *** [Makefile:34: step-3] Error 3\n", inconclusive},
		{"a fault after one that was inconclusive", 2, "exit status 3\nmake: *** [Makefile:34: test] Error 1\n", fault},
		{"under an old make", 2, unsure + "make[1]: *** [step-3] Error 3\n", inconclusive},
		{"under go run", 1, unsure + "exit status 3\n", inconclusive},
		{"a claim fails", 1, failed, claimFailed},
		{"the same under make", 2, failed + "make: *** [Makefile:34: step-3] Error 1\n", claimFailed},
		{"under go run", 1, failed + "exit status 1\n", claimFailed},
		{"make lab", 2, "verdict: does not hold in step 3, after 60 s\nnext:\nmake: *** [Makefile:56: lab] Error 1\n", claimFailed},
		{"a fault of a step", 1, "03-collapse: cannot listen\n", fault},
		{"a failing test", 2, test + "make: *** [Makefile:70: test] Error 1\n", fault},
		{"bad usage", 2, "03-collapse: invalid value\n", fault},
		{"the same under make", 2, "make: *** [Makefile:34: step-3] Error 2\n", fault},
		{"no target", 2, "make: *** No rule to make target 'nothing'.  Stop.\n", fault},
		{"no command", 127, "bash: line 1: maek: command not found\n", fault},
		{"words of another program", 0, "exit status 3\n", ok},
		{"killed", -1, failed, fault},
		{"interrupted", 130, unsure, fault},
	} {
		assert.Equal(t, tt.want, judge(tt.status, tt.output), tt.name)
	}
}
