package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"example.com/sheddinglab/lab"
)

// report makes the page of the documents in out, and returns it.
func report(t *testing.T, out string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	require.NoError(t, run([]string{"-steps", "../steps", "-out", out}, &stdout, &stderr, time.Now()))
	assert.Contains(t, stdout.String(), "of 12 steps run: "+filepath.Join(out, "report.html"))
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	require.NoError(t, err)
	return string(page)
}

// assertPage fails t if the page needs anything else, runs anything, or has a
// reference to nothing.
func assertPage(t *testing.T, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	ids, wanted := map[string]bool{}, []string{}
	elements := map[string]int{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		elements[n.Data]++
		for _, a := range n.Attr {
			assert.False(t, strings.HasPrefix(a.Key, "on"), "%s on <%s>", a.Key, n.Data)
			assert.NotContains(t, a.Val, "//", "an address in <%s %s>", n.Data, a.Key)
			switch a.Key {
			case "src", "srcset", "action", "data", "poster":
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case "href":
				require.Equal(t, "#", a.Val[:1])
				wanted = append(wanted, a.Val[1:])
			case "aria-labelledby":
				wanted = append(wanted, strings.Fields(a.Val)...)
			case "id":
				assert.False(t, ids[a.Val], "id %q twice", a.Val)
				ids[a.Val] = true
			}
		}
	}
	for _, id := range wanted {
		assert.True(t, ids[id], "no id %q", id)
	}
	for _, none := range []string{"script", "link", "img", "iframe", "object", "base", "form"} {
		assert.Zero(t, elements[none], none)
	}
	assert.Equal(t, 1, elements["h1"])
	assert.GreaterOrEqual(t, elements["section"], 12)
	for _, none := range []string{"@import", "url(", "ZgotmplZ"} { // the last is a refusal of the template
		assert.False(t, strings.Contains(page, none), none)
	}
}

// assertShows is Contains, without the whole page in the failure.
func assertShows(t *testing.T, page, text string) {
	t.Helper()
	assert.True(t, strings.Contains(page, text), "no %q in the page", text)
}

func TestNothingRunYet(t *testing.T) {
	page := report(t, filepath.Join(t.TempDir(), "out"))
	assertPage(t, page)
	assertShows(t, page, "You have run none yet")
	assert.Equal(t, 12, strings.Count(page, "You have not run this step yet"))
	assert.Equal(t, 10, strings.Count(page, "<svg"))
	assert.False(t, strings.Contains(page, "Your run</b>"))
}

// The goldens stand in for the runs of a reader.
func TestAllRun(t *testing.T) {
	out := t.TempDir()
	copyGolden := func(golden, name string, change func(string) string) {
		text, err := os.ReadFile("../steps/" + golden)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(out, name), []byte(change(string(text))), 0o644))
	}
	same := func(s string) string { return s }
	for _, step := range steplist(t) {
		copyGolden(step.name+"/testdata/holds.json", step.name+".json", same)
	}
	copyGolden("04-bounded-line/testdata/cut-short.json", "04-bounded-line.json", same)
	copyGolden("05-slowdown/testdata/holds.json", "05-slowdown.json", func(s string) string {
		return strings.Replace(s, `"max_wait_ms": 300`, `"max_wait_ms": 250`, 1)
	})
	copyGolden("09-sweep/testdata/hold-holds.json", "09-sweep-hold.json", same)
	copyGolden("09-sweep/testdata/url-protected.json", "09-sweep-url.json", same)
	copyGolden("09-sweep/testdata/tune-holds.json", `09-sweep-a "b.json`, same) // not the name of a mode
	ran := time.Date(2024, 5, 6, 7, 8, 0, 0, time.Local)
	require.NoError(t, os.Chtimes(filepath.Join(out, "03-collapse.json"), ran, ran))

	page := report(t, out)
	assertPage(t, page)
	assert.False(t, strings.Contains(page, "not run"))
	assert.Equal(t, 2*11+1, strings.Count(page, "<svg"), "both of ten steps and of hold, and one of a URL")
	assertShows(t, page, "2024-05-06 07:08")
	assertShows(t, page, "cut short, not complete")
	assertShows(t, page, "Inconclusive because the run was cut short.")
	assertShows(t, page, "Not the same in the two: <code>max_wait_ms</code>.")
	assertShows(t, page, `<tr class="differs"><td>max_wait_ms</td><td>250</td><td>≠ 300</td></tr>`)
	assert.Equal(t, 2, strings.Count(page, "Your run, and virtual time: the same"), "steps 1 and 8")
	assertShows(t, page, "152 of 152")
	assertShows(t, page, "step-09-sweep-hold")
	assertShows(t, page, "make sweep URL=...")
	d, err := readDocument("../steps/03-collapse/testdata/holds.json", 3)
	require.NoError(t, err)
	require.NotEmpty(t, d.KeyFigure)
	assert.Equal(t, 3, strings.Count(page, d.KeyFigure), "in the list, above the run, and above virtual time")
}

func TestUsage(t *testing.T) {
	var stdout, stderr strings.Builder
	for _, args := range [][]string{{"-nope"}, {"what"}} {
		err := run(args, &stdout, &stderr, time.Now())
		assert.True(t, errors.As(err, new(*lab.UsageError)), "%v: %v", args, err)
	}
	assert.Empty(t, stdout.String())
	assert.ErrorIs(t, run([]string{"-h"}, &stdout, &stderr, time.Now()), flag.ErrHelp)
	assert.Contains(t, stdout.String(), "-figures")
}
