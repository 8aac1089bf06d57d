// Package golden compares the output of the lab's tests with files checked in
// under testdata. It is internal because it defines the test flag -update.
package golden

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/sheddinglab/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// packageDir is where go test starts the tests of a package.
var packageDir, _ = os.Getwd()

// Compare fails t if got is not what testdata/name holds. With -update it writes
// the file instead.
func Compare(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(packageDir, "testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "go test -update writes the golden files")
	assert.Equal(t, string(want), got, "%s is out of date, or the code is wrong: go test -update rewrites it", file)
}

// Run is the run function of a step.
type Run func(ctx context.Context, args []string, stdout, stderr io.Writer) error

// Step calls run in a bubble, in virtual time, with an empty directory to keep
// its figures in, and returns what it wrote to its standard output, and its
// error. Its context ends after interrupt, unless that is 0. Step fails t if
// there is anything on standard error.
func Step(t *testing.T, run Run, interrupt time.Duration, args ...string) (string, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	args = append([]string{"-out", "out"}, args...)
	var stdout, stderr bytes.Buffer
	var err error
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if interrupt > 0 {
			timer := time.AfterFunc(interrupt, cancel)
			defer timer.Stop()
		}
		err = run(ctx, args, &stdout, &stderr)
	})
	assert.Empty(t, stderr.String())
	return stdout.String(), err
}

// A Case is one run of a step, held against testdata/NAME.txt.
type Case struct {
	Name      string
	Args      []string
	Interrupt time.Duration // as by Ctrl-C, that long after the start; 0 = never
	Want      error         // what run returns
}

// Cases runs each case as a subtest, and once more with -json, whose document is
// held against testdata/NAME.json and must have the checks that the text has.
func Cases(t *testing.T, run Run, cases ...Case) {
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			text, err := Step(t, run, c.Interrupt, c.Args...)
			assert.ErrorIs(t, err, c.Want)
			Compare(t, c.Name+".txt", text)

			document, err := Step(t, run, c.Interrupt, append(c.Args, "-json")...)
			assert.ErrorIs(t, err, c.Want)
			Compare(t, c.Name+".json", document)
			assertPlain(t, text)
			assertSame(t, text, document)
		})
	}
}

// assertPlain fails t if text has a control character, anything but ASCII, or a
// line wider than 80 columns.
func assertPlain(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		assert.LessOrEqual(t, len(line), 80, line)
		assert.Regexp(t, `^[ -~]*$`, line)
	}
	assert.LessOrEqual(t, strings.Count(text, "\n"), 60, "lines")
}

// assertSame fails t if document is not one JSON document with the keys that
// programs rely on, or tells another story than text.
func assertSame(t *testing.T, text, document string) {
	t.Helper()
	var d struct {
		Step       *int
		Name       *string
		Question   *string
		Complete   *bool
		Parameters map[string]any
		Rows       []map[string]any
		Notes      []string
		Checks     []lab.Check
		Doubts     []string
		Verdict    lab.Verdict
		KeyFigure  string `json:"key_figure"`
	}
	in := json.NewDecoder(strings.NewReader(document))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(&d))
	assert.False(t, in.More(), "one document")
	require.NotNil(t, d.Complete)
	assert.NotEmpty(t, d.Parameters)
	assert.Contains(t, text, *d.Name)
	assert.Contains(t, text, "verdict: "+string(d.Verdict)+"\n")
	assert.Contains(t, text, d.KeyFigure)
	unwrapped := strings.Join(strings.Fields(text), " ")
	for _, doubt := range d.Doubts {
		assert.Contains(t, unwrapped, "inconclusive because "+doubt)
	}
	for _, c := range d.Checks {
		assert.Contains(t, text, c.String()+"\n")
	}
}

// Measured are the settings of the goldens: the capacity that step 1 measures for
// work of 50.07 ms. A real sleep of 50 ms takes about that long, and so odd a
// figure keeps two events from falling in the same instant, where chance would
// decide which comes first.
var Measured = []string{"-service-time=50.07ms", "-capacity=79.9"}

// A Row is what the tests look at in a row of the table.
type Row struct {
	OK, Shed, Timeout, Wasted int
	PeakLine                  int     `json:"peak_line"`
	P50                       float64 `json:"p50_ms"` // to the millisecond
	P99                       float64 `json:"p99_ms"`
}

// Rows runs the step and returns the rows of its table.
func Rows(t *testing.T, run Run, args ...string) []Row {
	t.Helper()
	document, err := Step(t, run, 0, append(args, "-json")...)
	require.NoError(t, err)
	var d struct{ Rows []Row }
	require.NoError(t, json.Unmarshal([]byte(document), &d))
	for i := range d.Rows {
		d.Rows[i].P50, d.Rows[i].P99 = math.Round(d.Rows[i].P50), math.Round(d.Rows[i].P99)
	}
	return d.Rows
}

// OtherSettings runs the step with each of the durations halved and doubled, and
// the capacity that step 1 would measure then, in the directory that is the last
// argument. No claim may fail: it holds, or the step says that it does not cover
// the settings.
func OtherSettings(t *testing.T, run Run, durations ...string) {
	for i, d := range durations {
		name, value, _ := strings.Cut(d, "=")
		standard, err := time.ParseDuration(value)
		require.NoError(t, err)
		for _, other := range []time.Duration{standard / 2, standard * 2} {
			args := slices.Clone(durations)
			args[i] = name + "=" + other.String()
			t.Run(args[i], func(t *testing.T) {
				serviceTime := 50070 * time.Microsecond
				if name == "-service-time" {
					serviceTime = other
				}
				out := t.TempDir()
				require.NoError(t, lab.Capacity{
					PerSecond:     math.Round(10*lab.DefaultSlots/serviceTime.Seconds()) / 10,
					Slots:         lab.DefaultSlots,
					ServiceTimeMS: float64(lab.ToMillis(serviceTime)),
					Verdict:       lab.Holds,
				}.Save(out))
				text, err := Step(t, run, 0, append(args, "-out", out)...)
				if !errors.Is(err, lab.ErrInconclusive) {
					assert.NoError(t, err, text)
				}
			})
		}
	}
}
