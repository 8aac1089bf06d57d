package main

import (
	_ "embed"
	"fmt"
	"image/color"
	"regexp"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// themeCSS gives every ink its colour, in light and in dark.
//
//go:embed theme.css
var themeCSS string

// An ink is a colour by its purpose. The plotting library knows nothing of light and
// dark, so it draws each ink in a colour that stands for it, which [themed] replaces.
type ink uint8

const (
	inkText  ink = iota + 1
	inkMuted     // what is read second: the axes, and what the curves are compared with
	inkGrid      // what only guides the eye
	inkMass      // filled areas
	inkFirst     // the first curve
	inkSecond
	inkThird
)

// inkNames are those of the CSS variables.
var inkNames = map[ink]string{
	inkText: "text", inkMuted: "muted", inkGrid: "grid", inkMass: "mass",
	inkFirst: "first", inkSecond: "second", inkThird: "third",
}

// RGBA makes an ink a [color.Color]: #010000 for the first, and so on.
func (i ink) RGBA() (r, g, b, a uint32) {
	return color.NRGBA{R: uint8(i), A: 0xff}.RGBA()
}

var drawnColor = regexp.MustCompile(`#[0-9A-F]{6}`)

// themed is svg with a CSS variable for every ink.
func themed(svg string) string {
	names := map[string]string{}
	for i, name := range inkNames {
		names[fmt.Sprintf("#%02X0000", uint8(i))] = "var(--" + name + ")"
	}
	return drawnColor.ReplaceAllStringFunc(svg, func(c string) string {
		if name, ok := names[c]; ok {
			return name
		}
		return c
	})
}

// A look tells a curve from others, also in grey: by its dashes and its marks.
type look struct {
	ink    ink
	width  vg.Length
	dashes []vg.Length
	mark   draw.GlyphDrawer
	marked bool // show the mark at each point
	filled bool // an area down to the axis
}

var (
	load     = look{ink: inkMuted, width: 0.5, filled: true}
	outlined = look{ink: inkText, width: 0.9, filled: true}
	level    = look{ink: inkMuted, width: 0.8, dashes: []vg.Length{1, 2.5}}
)

// looks is the look of the i-th curve.
func looks(i int) look {
	all := []look{
		{ink: inkFirst, width: 1.7, mark: draw.CircleGlyph{}},
		{ink: inkSecond, width: 1.7, dashes: []vg.Length{6, 2.5}, mark: draw.BoxGlyph{}},
		{ink: inkThird, width: 1.7, dashes: []vg.Length{1.7, 2.2}, mark: draw.TriangleGlyph{}},
	}
	return all[i%len(all)]
}
