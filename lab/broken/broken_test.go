package broken

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

var update = flag.Bool("update", false, "write the golden files in testdata anew")

func TestWhoIsCaughtByWhat(t *testing.T) {
	variants := append([]Variant{{
		Name:    "Controller",
		Mistake: "none that we know of",
		New:     func(l lab.Limits) (labtest.Controller, error) { return lab.NewController(l) },
	}}, All...)
	behaviours := labtest.Behaviours()
	m := Matrix{variants, behaviours, check(t, variants, behaviours)}

	assertEachCaught(t, m)
	golden(t, "matrix.txt", m.String())
	golden(t, "failures.txt", firstFailures(variants, m.Failures))
}

// Leaky differs from a correct controller by one moved line, and by what Go needs
// around it.
func TestLeakyDiff(t *testing.T) {
	assert.Equal(t, []string{
		"- defer p.line.leave()",
		"- return p.wait(ctx)",
		"+ if err := p.wait(ctx); err != nil {",
		"+     return err",
		"+ }",
		"+ p.line.leave() // MISTAKE: those that did not get a slot do not come by here",
		"+ return nil",
	}, LeakyDiff())
}

// A check that was not made neither catches nor clears a controller.
func TestNotChecked(t *testing.T) {
	m := Matrix{All[:1], labtest.Behaviours()[:2], [][]error{{ErrNotChecked, nil}}}
	assert.Empty(t, m.Caught(0))
	assert.Empty(t, m.Catches(0))
	assert.Contains(t, m.String(), "Leaky             ? .  line_full climbs")
}

// The mistakes are in the files of the variants, and not in their parts.
func TestPartsAreCorrect(t *testing.T) {
	labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) { return assemble(l, acquire) })
}

func TestEachFileMarksItsMistake(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	marked := 0
	for _, file := range files {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		if !strings.HasSuffix(file, "_test.go") && strings.Contains(string(code), "// MISTAKE: ") {
			assert.Equal(t, 1, strings.Count(string(code), "MISTAKE"), file)
			marked++
		}
	}
	assert.Equal(t, len(All)+len(Priority)+len(Deadlines)+len(Adjustable)+len(Adaptive), marked)
}

// check returns the failures of each variant in the order of the behaviours, nil
// where there is none.
func check(t *testing.T, variants []Variant, behaviours []labtest.Behaviour) [][]error {
	failures := make([][]error, len(variants))
	for i, v := range variants {
		failures[i] = make([]error, len(behaviours))
		for j, b := range behaviours {
			synctest.Test(t, func(t *testing.T) { failures[i][j] = b.Check(v.New) })
		}
	}
	return failures
}

// assertEachCaught fails t unless all but the first are caught, and each behaviour
// catches somebody.
func assertEachCaught(t *testing.T, m Matrix) {
	for c, v := range m.Controllers {
		assert.Equal(t, c > 0, len(m.Caught(c)) > 0, "%s: is it caught?", v.Name)
	}
	for b, behaviour := range m.Behaviours {
		assert.NotEmpty(t, m.Catches(b), "%s: it catches nobody", behaviour)
	}
}

// byChance finds the one number that is decided by chance, in a select.
var byChance = regexp.MustCompile(`\d+ were served and`)

// firstFailures is what a reader sees first with each of the broken controllers.
func firstFailures(variants []Variant, failures [][]error) string {
	var s strings.Builder
	for i, v := range variants {
		for _, err := range failures[i] {
			if err != nil {
				fmt.Fprintf(&s, "%s: %s\n%v\n\n", v.Name, v.Mistake, err)
				break
			}
		}
	}
	return byChance.ReplaceAllString(s.String(), "~500 were served and")
}

// golden compares got with a file in testdata.
func golden(t *testing.T, file, got string) {
	path := filepath.Join("testdata", file)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run the test with -update to write it")
	assert.True(t, string(want) == got, "%s has changed; if that is meant, run the test with -update. Now it would be\n\n%s", path, got)
}
