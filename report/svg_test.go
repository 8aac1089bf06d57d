package main

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
)

// assertWellFormed fails t if svg is not XML with a title and a description, uses
// a colour that is not of the theme, or refers to anything outside.
func assertWellFormed(t *testing.T, svg string) {
	t.Helper()
	in := xml.NewDecoder(strings.NewReader(svg))
	elements := map[string]int{}
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		elements[start.Name.Local]++
		attributes := map[string]string{}
		for _, a := range start.Attr {
			attributes[a.Name.Local] = a.Value
		}
		switch start.Name.Local {
		case "path", "text", "rect":
			assert.Contains(t, attributes["style"], "var(--", "a colour of the theme")
			assert.NotContains(t, attributes["style"], "#", "no other colour")
		}
		assert.Empty(t, attributes["href"])
	}
	assert.Equal(t, 1, elements["svg"])
	assert.Equal(t, 1, elements["title"])
	assert.Equal(t, 1, elements["desc"])
	assert.Positive(t, elements["path"])
	assert.Positive(t, elements["text"])
	assert.NotContains(t, strings.ReplaceAll(svg, `xmlns="http://www.w3.org/2000/svg"`, ""), "http")
	assert.NotContains(t, svg, "<script")
}

// A name may be anything, and a scale may have nothing on it.
func TestOddCharts(t *testing.T) {
	for name, c := range map[string]curve{
		"markup":    {`<script>alert("x")</script>&amp;`, steps([]amount{1, 2}, 1), looks(0)},
		"control":   {"a\x00b\x1bc\nd", steps([]amount{1, 2}, 1), looks(0)},
		"long":      {strings.Repeat("long ", 200), steps([]amount{1, 2}, 1), looks(0)},
		"no latin":  {"待ち行列 🚦", steps([]amount{1, 2}, 1), looks(0)},
		"zeros":     {"zeros", steps([]amount{0, 0}, 1), looks(0)},
		"one point": {"one", plotter.XYs{{X: 0, Y: 3}}, looks(0)},
		"large":     {"large", steps([]amount{maxAmount, 0, maxAmount}, 1), load},
		"many":      {"many", steps(make([]amount, 4000), 1), level},
	} {
		t.Run(name, func(t *testing.T) {
			p := panel{yAxis: "things"}
			p.add(c)
			ch := &chart{title: "odd", xAxis: "seconds"}
			ch.add(p)
			svg, err := inline(ch, "odd")
			require.NoError(t, err)
			assertWellFormed(t, svg)
			assert.NotContains(t, svg, "NaN")
			assert.NotContains(t, svg, "Inf")
		})
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		top   float64
		most  int
		whole bool
		want  string
	}{
		{170, 5, true, "0 50 100 150"},
		{88, 5, true, "0 20 40 60 80"},
		{44, 3, true, "0 20 40"},
		{1.1, 5, true, "0 1"},
		{1, 8, false, "0 0.2 0.4 0.6 0.8 1"},
		{2, 8, false, "0 0.5 1 1.5 2"},
		{6, 8, false, "0 1 2 3 4 5 6"},
		{60, 8, false, "0 10 20 30 40 50 60"},
		{1.1e9, 5, true, "0 500000000 1000000000"},
	} {
		var labels []string
		for _, tick := range ticks(c.top, c.most, c.whole) {
			labels = append(labels, tick.Label)
		}
		assert.Equal(t, c.want, strings.Join(labels, " "), c.top)
	}
}

func TestShare(t *testing.T) {
	near, far := &bars{most: 799}, &bars{most: 2000}
	mine := &bars{most: 750}
	require.True(t, share(mine, near))
	assert.Equal(t, []float64{799}, mine.scales())
	require.False(t, share(mine, far))
	assert.Equal(t, []float64{799}, mine.scales())
	assert.Equal(t, []float64{2000}, far.scales())
	assert.False(t, share(mine, &chart{xMax: 5, panels: make([]panel, 1)}))
}

func TestSampled(t *testing.T) {
	assert.Empty(t, sampled(nil))
	assert.Equal(t, plotter.XYs{{X: 0.05, Y: 3}, {X: 0.15000000000000002, Y: 4}}, sampled([]amount{3, 4}))

	long := make([]amount, 36000)
	long[12345] = 7
	points := sampled(long)
	assert.LessOrEqual(t, len(points), 400)
	peak := math.Inf(-1)
	for _, p := range points {
		peak = max(peak, p.Y)
	}
	assert.Equal(t, 7.0, peak, "the peak is kept")
}
