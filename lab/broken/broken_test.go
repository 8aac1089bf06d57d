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
		Name:    "lab.Controller",
		Mistake: "none that we know of",
		New:     func(l lab.Limits) (labtest.Controller, error) { return lab.NewController(l) },
	}}, All...)
	behaviours := labtest.Behaviours()
	failures := check(t, variants, behaviours)

	catches := make(map[int]bool)
	for i, v := range variants {
		caught := false
		for j, b := range behaviours {
			if failures[i][j] != nil {
				caught, catches[b.Number] = true, true
			}
		}
		assert.Equal(t, i > 0, caught, "%s: is it caught?", v.Name)
	}
	for _, b := range behaviours {
		assert.True(t, catches[b.Number], "%s: it catches nobody", b)
	}
	golden(t, "matrix.txt", matrix(variants, behaviours, failures))
	golden(t, "failures.txt", firstFailures(variants, failures))
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
	assert.Equal(t, len(All), marked)
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

func matrix(variants []Variant, behaviours []labtest.Behaviour, failures [][]error) string {
	var s strings.Builder
	fmt.Fprintf(&s, "Which behaviour (column) catches which broken controller (row)?\n\n%-18s", "")
	for _, b := range behaviours {
		fmt.Fprintf(&s, "%4d", b.Number)
	}
	s.WriteString("\n")
	for i, v := range variants {
		fmt.Fprintf(&s, "%-18s", v.Name)
		for _, err := range failures[i] {
			mark := "."
			if err != nil {
				mark = "x"
			}
			fmt.Fprintf(&s, "%4s", mark)
		}
		s.WriteString("\n")
	}
	s.WriteString("\nx caught   . not caught\n\n")
	for _, b := range behaviours {
		fmt.Fprintf(&s, "%2d  %s\n", b.Number, b.Name)
	}
	s.WriteString("\n")
	for _, v := range variants {
		fmt.Fprintf(&s, "%-18s %s\n", v.Name, v.Mistake)
	}
	return s.String()
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
