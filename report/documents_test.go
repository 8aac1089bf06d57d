package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// modeOf is the mode of a golden file, by its name.
func modeOf(file string) string {
	mode, _, found := strings.Cut(filepath.Base(file), "-")
	switch mode {
	case "hold", "tune", "far", "url", "from":
		if found {
			return mode
		}
	}
	return ""
}

// Every document of the lab's tests is drawn, or there is a reason why not.
func TestEveryGolden(t *testing.T) {
	for _, step := range steplist(t) {
		files, err := filepath.Glob(filepath.Join(step.path, "testdata", "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			name := step.name + "/" + filepath.Base(file)
			t.Run(name, func(t *testing.T) {
				v := viewOf(file, step, modeOf(file))
				require.NotNil(t, v.Document, v.Fault)
				switch {
				case v.figure != nil:
					svg, err := inline(v.figure, "id")
					require.NoError(t, err)
					assertWellFormed(t, svg)
				case v.Table != nil:
					assert.NotEmpty(t, v.Table.Rows)
				default:
					assert.Equal(t, errNothing.Error(), v.Fault)
					assert.NotContains(t, name, "holds.json")
				}
			})
		}
	}
}

// sound is a document of any step, but for its rows.
const sound = `{"step": N, "name": "x", "question": "?", "complete": true, "verdict": "holds", "rows": ROWS}`

func TestOddDocuments(t *testing.T) {
	whole, err := os.ReadFile("../steps/03-collapse/testdata/holds.json")
	require.NoError(t, err)
	rows := func(rows string) string { return strings.Replace(sound, "ROWS", rows, 1) }
	for name, c := range map[string]struct {
		text string
		want string // in the page; "" for whatever is said
	}{
		"empty":             {"", "not the document of a run: unexpected end of JSON input"},
		"cut":               {string(whole[:len(whole)/2]), "not the document of a run"},
		"a list":            {"[]", "not the document of a run"},
		"null":              {"null", "a document of step 0"},
		"of another step":   {`{"step": 12, "verdict": "holds"}`, "a document of step 12"},
		"without a verdict": {`{"step": N}`, "without a verdict"},
		"parameters":        {`{"step": N, "verdict": "holds", "parameters": 3}`, "not the document of a run"},
		"odd parameters":    {`{"step": N, "verdict": "holds", "parameters": {"a": null, "b": [1], "capacity_rps": 1e300, "slow_factor": -1}, "rows": [{"policy": "p", "by_second": [{"second": 0, "arrived": 1, "ok": 1}]}]}`, ""},
		"no rows":           {rows("null"), errNothing.Error()},
		"zero rows":         {rows("[]"), errNothing.Error()},
		"a row of null":     {rows("[null]"), ""},
		"a row of text":     {rows(`["x"]`), ""},
		"an empty row":      {rows("[{}]"), ""},
		"null values": {rows(`[{"policy": null, "channel": null, "by_second": null, "line": null, "length": null, "ok": null,
			"multiple": null, "steady_goodput_rps": null, "attempts_by_100ms": null, "caught_by": null}]`), ""},
		"null in lists": {rows(`[{"by_second": [null], "line": [1, null], "length": [null], "attempts_by_100ms": [null]}]`), ""},
		"negative":      {rows(`[{"ok": -1, "line": [-1], "length": [-3], "attempts_by_100ms": [-1], "multiple": -1}]`), ""},
		"huge":          {rows(`[{"ok": 1e300, "line": [1e300], "length": [1e300], "attempts_by_100ms": [1e300], "multiple": 1e300}]`), ""},
		"of text":       {rows(`[{"ok": "x", "line": ["x"], "length": "x", "attempts_by_100ms": {}, "multiple": "x"}]`), ""},
		"out of order":  {rows(`[{"by_second": [{"second": 5, "arrived": 1, "ok": 1}]}]`), ""},
		"zeros": {rows(`[{"policy": "p", "channel": "c", "by_second": [{"second": 0, "arrived": 0, "ok": 0}], "line": [0], "length": [0],
			"attempts_by_100ms": [0], "multiple": 0, "steady_goodput_rps": 0, "ok": 0, "shed": 0, "timeout": 0, "wasted": 0}]`), ""},
		"many rows": {rows("[" + strings.Repeat("{},", 500) + "{}]"), ""},
		"markup":    {rows(`[{"policy": "<script>x</script>", "channel": "<script>x</script>", "count": "<script>", "controller": "<script>"}]`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			for _, step := range steplist(t) {
				text := strings.ReplaceAll(c.text, `"step": N`, `"step": `+step.name[1:2])
				require.NoError(t, os.WriteFile(filepath.Join(out, step.name+".json"), []byte(text), 0o644))
			}
			html := report(t, out)
			assertShows(t, html, c.want)
			assertPage(t, html)
			for _, step := range steplist(t) {
				_, section, found := strings.Cut(html, `<section id="step-`+step.name+`">`)
				require.True(t, found)
				section, _, _ = strings.Cut(section, "</section>")
				assert.Contains(t, strings.ToLower(section), "virtual time", "the rest of %s is there", step.name)
			}
		})
	}
}

func TestNothingCanBeMade(t *testing.T) {
	steps, out := t.TempDir(), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(steps, "03-collapse"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(out, "03-collapse.json"), []byte("{"), 0o644))
	var stdout, stderr strings.Builder
	err := run([]string{"-steps", steps, "-out", out}, &stdout, &stderr, time.Now())
	assert.ErrorContains(t, err, filepath.Join(out, "report.html"))
	assert.Contains(t, stderr.String(), "out/03-collapse.json: not the document of a run")
	assert.Empty(t, stdout.String())
	assert.NoFileExists(t, filepath.Join(out, "report.html"))

	err = run([]string{"-steps", t.TempDir()}, &stdout, &stderr, time.Now())
	assert.ErrorContains(t, err, "no steps in")
	err = run([]string{"-steps", filepath.Join(out, "nowhere")}, &stdout, &stderr, time.Now())
	assert.True(t, errors.Is(err, os.ErrNotExist), err)
}
