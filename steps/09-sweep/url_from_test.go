package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

// writeAttack writes a file like that of vegeta encode -to csv: n requests of an
// attack, the first due after delay, each step after the one before it.
func writeAttack(t *testing.T, dir, name, attack string, delay, step time.Duration, n int, hit func(i int) (code int, latency time.Duration)) string {
	t.Helper()
	file := filepath.Join(dir, name)
	var rows strings.Builder
	for i := range n {
		i = n - 1 - i // vegeta writes in the order of the answers
		code, latency := hit(i)
		text := ""
		if code != 200 {
			text = fmt.Sprint(code, " as an error")
		}
		sent := time.Unix(1_700_000_000, 0).Add(delay + time.Duration(i)*step)
		fmt.Fprintf(&rows, "%d,%d,%d,0,18,%s,,%s,%d,GET,http://10.0.0.1/,\n", sent.UnixNano(), code, latency, text, attack, i)
	}
	require.NoError(t, os.WriteFile(file, []byte(rows.String()), 0o644))
	return file
}

// attacks are three loads at a service that can do 80/s: the third came from two
// machines, and half of it was refused, three in four of those late.
func attacks(t *testing.T) []string {
	dir := t.TempDir()
	const ms = time.Millisecond
	good := func(int) (int, time.Duration) { return 200, 50 * ms }
	half := func(i int) (int, time.Duration) {
		switch {
		case i%2 == 0:
			return 200, time.Duration(100+i) * ms
		case i%8 == 1:
			return 503, ms
		}
		return 200, time.Second
	}
	return []string{
		writeAttack(t, dir, "half.csv", "half", 0, 25*ms, 200, good),
		writeAttack(t, dir, "once.csv", "", 10*time.Second, 12500*time.Microsecond, 400, good),
		writeAttack(t, dir, "twice-1.csv", "twice", 20*time.Second, 12500*time.Microsecond, 400, half),
		writeAttack(t, dir, "twice-2.csv", "twice", 20*time.Second+6250*time.Microsecond, 12500*time.Microsecond, 400, half),
	}
}

func TestSweepFiles(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	files := attacks(t)
	for name, args := range map[string][]string{"from.txt": nil, "from-json.txt": {"-json"}} {
		var stdout bytes.Buffer
		args = append(args, "-from="+files[0])
		require.NoError(t, sweepURL(t.Context(), append(args, files[1:]...), &stdout, io.Discard))
		golden.Compare(t, "url-"+name, stdout.String())
	}
	var stdout, stderr bytes.Buffer
	require.NoError(t, sweepURL(t.Context(), append([]string{"-csv", "-capacity=100", "-from"}, files...), &stdout, &stderr))
	golden.Compare(t, "url-from.csv", stdout.String())
	assert.Contains(t, stderr.String(), "capacity: 100.0/s, as given with -capacity")
}

// One file after the other, or with a flag for each: the same.
func TestSweepFilesMerge(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	files := attacks(t)
	goodput := func(args ...string) (rows []float64) {
		var stdout bytes.Buffer
		require.NoError(t, sweepURL(t.Context(), append([]string{"-json"}, args...), &stdout, io.Discard))
		var d struct{ Rows []urlRow }
		require.NoError(t, json.Unmarshal(stdout.Bytes(), &d))
		for _, r := range d.Rows {
			rows = append(rows, r.Goodput)
		}
		return rows
	}
	once := goodput(append([]string{"-from"}, files...)...)
	assert.Equal(t, once, goodput("-from", files[3], "-from", files[2], "-from", files[1], files[0]))
	assert.InDeltaSlice(t, []float64{40, 80, 80}, once, 0.5)
}

func TestSweepFilesUsage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
	good := func(int) (int, time.Duration) { return 200, 0 }
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-from"}, "flag needs an argument: -from"},
		{[]string{"-from="}, `invalid value "" for flag -from: want the name of a file`},
		{[]string{"-from", filepath.Join(dir, "none")}, "-from: open "},
		{[]string{"-from", write("empty", "")}, "empty: there is no result in it"},
		{[]string{"-from", write("gob", "\x7f\x03")}, "gob: line 1 is neither CSV nor JSON of vegeta"},
		{[]string{"-from", write("damaged", "1,200,3\n")}, "damaged: line 1: 3 columns, want the 12 of vegeta encode -to csv"},
		{[]string{"-from", writeAttack(t, dir, "one", "lonely", 0, 0, 1, good)}, `-from: attack "lonely" went on for 0s, want more than -warm-up, which is 1s, and at most 24h0m0s`},
		{[]string{"-from", writeAttack(t, dir, "long", "long", 0, 25*time.Hour, 2, good)}, `-from: attack "long" went on for 25h0m0s`},
		{[]string{"-from", "a", "b", "-json"}, `flag "-json" after a file name: put the flags before the files`},
	} {
		err := sweepURL(t.Context(), tt.args, io.Discard, io.Discard)
		assert.ErrorContains(t, err, tt.want)
		status, _ := lab.ExitStatus(err)
		assert.Equal(t, 2, status, tt.args)
	}
}

// Nobody served: no capacity, and no number that is none.
func TestSweepFilesNothingServed(t *testing.T) {
	t.Chdir(t.TempDir()) // where the step keeps its document
	file := writeAttack(t, t.TempDir(), "down", "down", 0, 10*time.Millisecond, 300, func(int) (int, time.Duration) { return 500, 0 })
	var stdout bytes.Buffer
	assert.ErrorIs(t, sweepURL(t.Context(), []string{"-from", file}, &stdout, io.Discard), lab.ErrInconclusive)
	assert.Contains(t, stdout.String(), "errors: 500 x ")
	assert.NotContains(t, stdout.String(), "NaN")
	assert.NotContains(t, stdout.String(), "Inf")
}
