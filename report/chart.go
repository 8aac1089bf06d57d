package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A figure is a picture that has not been drawn yet.
type figure interface {
	// words are for those who do not see the picture: its name, and what it shows.
	words() (title, description string)
	size() (width, height vg.Length)
	paint(c draw.Canvas)

	// scales are the largest values on the axes, and setScales changes them.
	scales() []float64
	setScales([]float64)
}

// share gives two figures the same scales, so that they can be compared, and says
// whether it did: not if one of them became less than half as large by that.
func share(a, b figure) bool {
	s, t := a.scales(), b.scales()
	if len(s) != len(t) {
		return false
	}
	for i := range s {
		if max(s[i], t[i]) > 2*min(s[i], t[i]) {
			return false
		}
		s[i] = max(s[i], t[i])
	}
	a.setScales(s)
	b.setScales(s)
	return true
}

// A chart is one or more panels, one above the other, over the same x axis.
type chart struct {
	title  string
	xAxis  string // its name, with the unit
	panels []panel
	xMax   float64

	oneY bool // all panels have the same y axis too
}

// A panel is a set of curves, and what its y axis counts.
type panel struct {
	yAxis  string
	curves []curve
	yMax   float64
}

// A curve is drawn as a line with its name beside it.
type curve struct {
	name   string // "" where the y axis says it
	points plotter.XYs
	look   look
}

// add appends a curve to the panel, unless it is empty.
func (p *panel) add(c curve) {
	if len(c.points) == 0 {
		return
	}
	for _, xy := range c.points {
		p.yMax = max(p.yMax, xy.Y)
	}
	p.curves = append(p.curves, c)
}

// add appends a panel to the chart, unless it is empty.
func (c *chart) add(p panel) {
	if len(p.curves) == 0 {
		return
	}
	for _, curve := range p.curves {
		for _, xy := range curve.points {
			c.xMax = max(c.xMax, math.Ceil(2*xy.X)/2)
		}
	}
	c.panels = append(c.panels, p)
	if c.oneY {
		top := slices.Max(c.scales()[1:])
		for i := range c.panels {
			c.panels[i].yMax = top
		}
	}
}

func (c *chart) scales() []float64 {
	s := []float64{c.xMax}
	for _, p := range c.panels {
		s = append(s, p.yMax)
	}
	return s
}

func (c *chart) setScales(s []float64) {
	c.xMax = s[0]
	for i := range c.panels {
		c.panels[i].yMax = s[i+1]
	}
}

func (c *chart) words() (title, description string) {
	var text strings.Builder
	for _, p := range c.panels {
		fmt.Fprintf(&text, "%s, over %s. ", p.yAxis, c.xAxis)
		for _, curve := range p.curves {
			if curve.name != "" {
				fmt.Fprintf(&text, "%s: ", curve.name)
			}
			fmt.Fprintf(&text, "%s. ", curve.inWords())
		}
	}
	return c.title, strings.TrimSpace(text.String())
}

// inWords says where the curve starts, how high it gets, and where it ends.
func (c curve) inWords() string {
	top := slices.MaxFunc(c.points, func(a, b plotter.XY) int { return cmp.Compare(a.Y, b.Y) })
	first, last := c.points[0], c.points[len(c.points)-1]
	return fmt.Sprintf("%s at the start, at most %s at %s, %s at the end",
		short(first.Y), short(top.Y), short(top.X), short(last.Y))
}

// short is a number to three digits, or as an integer.
func short(v float64) string {
	if math.Abs(v) >= 100 {
		v = math.Round(v)
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}
