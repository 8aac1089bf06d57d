package lab

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// lastLine is the last line of a table, its cells one space apart.
func lastLine(table string) string {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	return strings.Join(strings.Fields(lines[len(lines)-1]), " ")
}

func TestTable(t *testing.T) {
	assert.Equal(t, ""+
		"policy          ok  p50 ms\n"+
		"no limits      152     501\n"+
		"a line of 40  1440       -\n",
		Table([][]string{{"policy", "ok", "p50 ms"}, {"no limits", "152", "501"}, {"a line of 40", "1440", "-"}}))
}

// Columns for what is rarely there appear only when it is, and then close ranks
// to stay within the screen.
func TestSummaryTableColumns(t *testing.T) {
	plain := SummaryTable(Summary{Policy: "no limits"})
	assert.NotContains(t, plain, "error")
	assert.NotContains(t, plain, "not sent")
	assert.NotContains(t, plain, "late")

	full := SummaryTable(Summary{Policy: "a"}, Summary{Policy: "b", NotSent: 1, Late: 2, Failed: 3})
	heading, _, _ := strings.Cut(full, "\n")
	assert.Equal(t, "policy goodput/s ok shed timeout error not sent p50 ms p99 ms wasted peak line late",
		strings.Join(strings.Fields(heading), " "))
}

func TestSecondsTable(t *testing.T) {
	s := Summary{Policy: "no limits", BySecond: []Second{{0, 160, 152}, {1, 160, 1}, {2, 160, 0}}}
	assert.Equal(t, ""+
		"no limits, by the second in which the request was due:\n"+
		"second  arrived  answered in time\n"+
		"     0      160               152  ######################################\n"+
		"     1      160                 1  #\n"+
		"     2      160                 0\n", SecondsTable(s))
}

func TestWrap(t *testing.T) {
	assert.Equal(t, "short", Wrap("short", 4))
	assert.Equal(t, "", Wrap("", 4))
	long := strings.Repeat("word ", 40)
	for line := range strings.Lines(Wrap(long, 9)) {
		assert.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), 80)
	}
	assert.Equal(t, strings.Fields(long), strings.Fields(Wrap(long, 9)), "no word is lost")
	assert.Contains(t, Wrap(long, 9), "\n         word")
}
