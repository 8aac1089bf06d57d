package main

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bars are a table whose figures are drawn as well as written.
type bars struct {
	title   string
	columns []string // a line break is a space
	looks   []look
	rows    []barRow
	most    float64 // the largest figure that there could be
}

type barRow struct {
	name   string
	values []*amount // nil is drawn as a dash
}

// drawServers is the picture of step 6: what became of the requests to each server.
func drawServers(d *Document) (*bars, error) {
	return drawOutcomes(d, &bars{
		title:   "What became of the requests to each server",
		columns: []string{"answered in time", "refused", "timed out", "wasted work"},
		looks:   []look{looks(1), load, looks(0), looks(0)},
	})
}

// drawClasses is the picture of step 10: what became of the requests of each class.
func drawClasses(d *Document) (*bars, error) {
	return drawOutcomes(d, &bars{
		title:   "What became of the requests of each class",
		columns: []string{"answered in time", "refused", "timed out"},
		looks:   []look{looks(1), load, looks(0)},
	})
}

// drawDeadlines is the picture of step 11: what became of the requests of each day, with
// each wait limit and with deadlines.
func drawDeadlines(d *Document) (*bars, error) {
	return drawOutcomes(d, &bars{
		title:   "What became of the requests, with wait limits and with deadlines",
		columns: []string{"in time", "refused", "timed out", "wasted"},
		looks:   []look{looks(1), load, looks(0), looks(0)},
	})
}

// drawOutcomes gives b a row for each of the document.
func drawOutcomes(d *Document, b *bars) (*bars, error) {
	type server struct {
		Policy  string  `json:"policy"`
		Class   string  `json:"class"`
		Day     string  `json:"day"`
		Offered *amount `json:"offered"`
		OK      *amount `json:"ok"`
		Shed    *amount `json:"shed"`
		Timeout *amount `json:"timeout"`
		Wasted  *amount `json:"wasted"`
	}
	servers, err := rows[server](d)
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		row := barRow{s.Policy, []*amount{s.OK, s.Shed, s.Timeout, s.Wasted}[:len(b.columns)]}
		if s.Class != "" {
			row.name += ": " + s.Class
		}
		if s.Day != "" {
			row.name = s.Day + ": " + row.name
		}
		b.rows = append(b.rows, row)
		for _, v := range append(row.values, s.Offered) {
			if v != nil {
				b.most = max(b.most, float64(*v))
			}
		}
	}
	return b, nil
}

func (b *bars) scales() []float64     { return []float64{b.most} }
func (b *bars) setScales(s []float64) { b.most = s[0] }

func (b *bars) words() (title, description string) {
	var text strings.Builder
	for _, r := range b.rows {
		fmt.Fprintf(&text, "%s: ", r.name)
		for i, v := range r.values {
			if i > 0 {
				text.WriteString(", ")
			}
			fmt.Fprintf(&text, "%s %s", v, b.columns[i])
		}
		text.WriteString(". ")
	}
	return b.title, strings.TrimSpace(text.String())
}

// String is the figure as it is written in a picture, and a dash for none.
func (a *amount) String() string {
	if a == nil {
		return "-"
	}
	return short(float64(*a))
}

const (
	barsHead = 32 // two lines
	barsRow  = 29
	barsGap  = 7 // between columns
)

func (b *bars) size() (width, height vg.Length) {
	return figureWidth, barsHead + barsRow*vg.Length(len(b.rows)) + 4
}

func (b *bars) paint(c draw.Canvas) {
	var names vg.Length
	for _, r := range b.rows {
		names = max(names, style(inkText, textSize).Width(r.name)*fontSlack+8)
	}
	width := (figureWidth - names) / vg.Length(len(b.columns))
	left := func(column int) vg.Length { return names + width*vg.Length(column) }
	for i, name := range b.columns {
		for line, word := range strings.SplitN(name, " ", 2) {
			c.FillText(style(inkMuted, textSize-1), vg.Point{X: left(i), Y: c.Max.Y - 12*vg.Length(line+1)}, word)
		}
	}
	for i, r := range b.rows {
		top := c.Max.Y - barsHead - barsRow*vg.Length(i)
		c.StrokeLine2(draw.LineStyle{Color: inkGrid, Width: 0.8}, c.Min.X, top, c.Max.X, top)
		c.FillText(style(inkText, textSize), vg.Point{X: c.Min.X + 1, Y: top - barsRow/2 - 3}, r.name)
		for j, v := range r.values {
			c.FillText(style(inkText, textSize), vg.Point{X: left(j), Y: top - 14}, v.String())
			if v == nil || b.most == 0 {
				continue
			}
			length := (width - barsGap) * vg.Length(float64(*v)/b.most)
			bar := vg.Rectangle{Min: vg.Point{X: left(j), Y: top - 24}, Max: vg.Point{X: left(j) + length, Y: top - 17}}
			c.FillPolygon(b.looks[j].ink, []vg.Point{bar.Min, {X: bar.Max.X, Y: bar.Min.Y}, bar.Max, {X: bar.Min.X, Y: bar.Max.Y}})
		}
	}
}
