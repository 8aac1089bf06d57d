package main

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	plottext "gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The measures of a chart, in units that are pixels on a phone. It is read there
// without zooming, and on a larger screen it is shown larger.
const (
	figureWidth = 348
	panelHeight = 104 // of the data alone
	titleHeight = 19  // of the name of the y axis, which stands above the panel
	panelGap    = 8
	footHeight  = 30 // of the x axis
	textSize    = 11
)

func (c *chart) size() (width, height vg.Length) {
	n := vg.Length(len(c.panels))
	height = c.panelHeight()
	return figureWidth, n*(height+titleHeight) + (n-1)*panelGap + footHeight + 4
}

// panelHeight is less where there are many.
func (c *chart) panelHeight() vg.Length {
	switch len(c.panels) {
	case 1:
		return 1.6 * panelHeight
	case 2:
		return panelHeight
	}
	return 0.6 * panelHeight
}

func (c *chart) paint(canvas draw.Canvas) {
	plots := make([][]*plot.Plot, len(c.panels))
	for i, p := range c.panels {
		plots[i] = []*plot.Plot{c.plot(p, i == len(c.panels)-1)}
	}
	tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadTop: titleHeight, PadY: titleHeight + panelGap, PadRight: 6, PadBottom: 2, PadLeft: 1}
	for i, row := range plot.Align(plots, tiles, canvas) {
		p, area := plots[i][0], row[0]
		p.Draw(area)
		data := p.DataCanvas(area)
		canvas.FillText(style(inkText, textSize), vg.Point{X: canvas.Min.X + 1, Y: data.Max.Y + 8}, c.panels[i].yAxis)
		labels(data, p, c.panels[i].curves)
	}
}

// plot is a panel for the library to draw. Only the last one has marks on the x axis.
func (c *chart) plot(panel panel, last bool) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Min, p.X.Max = 0, positive(c.xMax)
	p.Y.Min, p.Y.Max = 0, positive(panel.yMax)*1.1
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding = 0
		axis.Tick.Label.Color, axis.Tick.Label.Font.Size = inkMuted, textSize
		axis.Tick.LineStyle = draw.LineStyle{Color: inkMuted, Width: 0.6}
		axis.Tick.Length = 3
		axis.Label.TextStyle.Font.Size = textSize
	}
	p.X.LineStyle = draw.LineStyle{Color: inkMuted, Width: 0.8}
	p.Y.Padding = 4
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	p.Y.Tick.Marker = ticks(p.Y.Max, int(c.panelHeight()/20), true)
	p.X.Tick.Marker = ticks(p.X.Max, 8, false)
	if last {
		p.X.Label.Text, p.X.Label.TextStyle.Color = c.xAxis, inkText
		p.X.Label.Padding = 2
	} else {
		p.X.Tick.Marker = blank(ticks(p.X.Max, 8, false))
	}
	for _, curve := range panel.curves {
		if curve.look.filled {
			p.Add(area(curve.points))
		}
	}
	p.Add(&plotter.Grid{Horizontal: draw.LineStyle{Color: inkGrid, Width: 0.8}})
	for _, curve := range panel.curves {
		p.Add(curve.look.line(curve.points))
		if curve.look.marked {
			p.Add(curve.look.marks(curve.points))
		}
	}
	return p
}

func (l look) line(points plotter.XYs) plot.Plotter {
	return &plotter.Line{XYs: points, LineStyle: draw.LineStyle{Color: l.ink, Width: l.width, Dashes: l.dashes}}
}

func (l look) marks(points plotter.XYs) plot.Plotter {
	return &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: l.ink, Radius: 3, Shape: l.mark}}
}

// area is what lies below the points.
func area(points plotter.XYs) plot.Plotter {
	end := points[len(points)-1].X
	outline := append(plotter.XYs{{X: points[0].X}}, points...)
	outline = append(outline, plotter.XY{X: end})
	return &plotter.Polygon{XYs: []plotter.XYs{outline}, Color: inkMass}
}

// positive is v, or 1 for a scale on which nothing is above 0.
func positive(v float64) float64 {
	if v > 0 {
		return v
	}
	return 1
}

// ticks are round numbers from 0 to top, about that many of them at most. Where they
// count something they are whole.
func ticks(top float64, most int, whole bool) plot.ConstantTicks {
	top = max(top, 1e-6) // below, it would be 0
	every := math.Pow(10, math.Floor(math.Log10(top))-1)
	for _, factor := range []float64{2, 2.5, 2, 2, 2.5, 2} {
		if top/every <= float64(most) {
			break
		}
		every *= factor
	}
	if whole {
		every = math.Ceil(every)
	}
	var marks plot.ConstantTicks
	for i := 0; float64(i)*every <= top; i++ {
		v := float64(i) * every
		marks = append(marks, plot.Tick{Value: v, Label: short(v)})
	}
	return marks
}

// blank are the same ticks without labels.
func blank(ticks plot.ConstantTicks) plot.ConstantTicks {
	for i := range ticks {
		ticks[i].Label = ""
	}
	return ticks
}

// style is text of that colour and size, to the right of a point and on its level.
func style(colour ink, size vg.Length) draw.TextStyle {
	return draw.TextStyle{
		Color:   colour,
		Font:    font.From(plot.DefaultFont, size),
		XAlign:  plottext.XLeft,
		YAlign:  plottext.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}
