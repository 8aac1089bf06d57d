package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// paramStep begins a step with a parameter that takes words, files and CSV.
func paramStep(args ...string) (step *Step, files []string, asCSV bool, stdout, stderr string, err error) {
	step = NewStep(7, "example", "is this a question?")
	step.About("Some text.\n")
	var words []string
	step.Param("word", "a word; may be given several times", func(text string) error {
		if strings.Contains(text, " ") {
			return errors.New("want one word")
		}
		words = append(words, text)
		return nil
	}, func() string { return strings.Join(words, "+") })
	from, csv := step.Files("from", "some files"), step.CSV()
	var out, errOut bytes.Buffer
	if err = step.Begin(args, &out, &errOut); err == nil {
		step.Find("what", "this")
		err = step.report(nil, Found, true, "next")
	}
	return step, *from, *csv, out.String(), errOut.String(), err
}

func TestParam(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	_, _, _, stdout, _, err := paramStep()
	require.NoError(t, err)
	assert.NotContains(t, stdout, "-word", "there is none")

	_, _, _, stdout, _, err = paramStep("-word=a", "-word", "b")
	require.NoError(t, err)
	assert.Contains(t, stdout, "-word=a+b")

	_, _, _, _, _, err = paramStep("-word=a b")
	assert.EqualError(t, err, `invalid value "a b" for flag -word: want one word; -h lists the flags`)

	for args, want := range map[string]any{"-word=a": "a", "-json": nil} {
		_, _, _, stdout, _, err := paramStep("-json", args)
		require.NoError(t, err)
		var d struct{ Parameters map[string]any }
		require.NoError(t, json.Unmarshal([]byte(stdout), &d))
		assert.Equal(t, map[string]any{"word": want}, d.Parameters)
	}

	_, _, _, stdout, _, err = paramStep("-h")
	assert.ErrorIs(t, err, flag.ErrHelp)
	assert.Contains(t, stdout, "is this a question?\n\nSome text.\n\nFlags:\n")
}

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	for _, tt := range []struct {
		args  []string
		files []string
		err   string
	}{
		{nil, nil, ""},
		{[]string{"-from=a"}, []string{"a"}, ""},
		{[]string{"-from", "a", "-word=x", "-from", "b", "c", "d"}, []string{"a", "b", "c", "d"}, ""},
		{[]string{"-from="}, nil, `invalid value "" for flag -from: want the name of a file; -h lists the flags`},
		{[]string{"-from", "a", "b", "-word=x"}, nil, `flag "-word=x" after a file name: put the flags before the files`},
	} {
		_, files, _, _, _, err := paramStep(tt.args...)
		if tt.err != "" {
			assert.EqualError(t, err, tt.err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, tt.files, files)
	}
}

// With -csv nothing of the report is on standard output.
func TestCSV(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	_, _, asCSV, stdout, stderr, err := paramStep("-csv", "-word=x")
	require.NoError(t, err)
	assert.True(t, asCSV)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "Findings:\nfound         what: this\n")

	_, _, _, _, _, err = paramStep("-csv", "-json")
	assert.EqualError(t, err, "-json and -csv were given, want one of them")
}

// Findings alone are found, and a step that has claims too is judged by these.
func TestFindings(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	var c Checks
	c.Find("what", strings.Repeat("word ", 20)+"end")
	_, verdict := c.Results()
	assert.Equal(t, Found, verdict)
	for line := range strings.Lines(c.String()) {
		assert.LessOrEqual(t, len(line), 81)
	}
	c.Add("a claim", true, "1", "1")
	_, verdict = c.Results()
	assert.Equal(t, Holds, verdict)
	c.Add("another", false, "1", "2")
	c.Find("more", "that")
	checks, verdict := c.Results()
	assert.Equal(t, DoesNotHold, verdict)
	assert.Equal(t, []Verdict{Found, Holds, DoesNotHold, Found}, []Verdict{checks[0].Verdict, checks[1].Verdict, checks[2].Verdict, checks[3].Verdict})
	c.Doubt("it was late")
	_, verdict = c.Results()
	assert.Equal(t, Inconclusive, verdict)

	step := NewStep(7, "example", "?")
	require.NoError(t, step.Begin(nil, io.Discard, io.Discard))
	step.Find("what", "this")
	assert.NoError(t, step.End(t.Context(), "next"), "a finding is no failure")
}

func TestMaxDescriptors(t *testing.T) {
	assert.Greater(t, MaxDescriptors(), 50)
}
