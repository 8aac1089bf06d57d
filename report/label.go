package main

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labels writes the name of each curve beside it, where it touches no other curve
// and no other name, and is as far from the others as may be.
func labels(data draw.Canvas, p *plot.Plot, curves []curve) {
	trX, trY := p.Transforms(&data)
	traces := make([][]vg.Point, len(curves))
	for i, c := range curves {
		traces[i] = make([]vg.Point, len(c.points))
		for j, xy := range c.points {
			traces[i][j] = vg.Point{X: trX(xy.X), Y: trY(xy.Y)}
		}
		traces[i] = dense(traces[i])
	}
	var taken []vg.Rectangle
	for i, c := range curves {
		if c.name == "" {
			continue
		}
		sty := style(c.look.ink, textSize)
		width := sty.Width(c.name) * fontSlack
		box := place(data.Rectangle, vg.Point{X: width, Y: textSize}, i, traces, taken)
		taken = append(taken, box)
		data.FillText(sty, vg.Point{X: box.Min.X, Y: box.Min.Y + 2.5}, c.name)
	}
}

// fontSlack allows for a font of the reader's that is wider than the one measured.
const fontSlack = 1.3

// dense has a point at least every two units, so that distances to a line are
// those to its points.
func dense(points []vg.Point) []vg.Point {
	var all []vg.Point
	for i, p := range points {
		if i == 0 {
			all = append(all, p)
			continue
		}
		q := points[i-1]
		n := math.Ceil(math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)) / 2)
		for k := 1.0; k <= n; k++ {
			all = append(all, vg.Point{X: q.X + (p.X-q.X)*vg.Length(k/n), Y: q.Y + (p.Y-q.Y)*vg.Length(k/n)})
		}
	}
	const most = 2000 // of a long run, whose line has been everywhere
	if len(all) <= most {
		return all
	}
	thinned := make([]vg.Point, most)
	for i := range thinned {
		thinned[i] = all[i*len(all)/most]
	}
	return thinned
}

// place finds room for a name of that size beside traces[own].
func place(area vg.Rectangle, size vg.Point, own int, traces [][]vg.Point, taken []vg.Rectangle) vg.Rectangle {
	const (
		near  = 3  // at least as far from any line
		apart = 30 // no farther from the others than this is better
	)
	var best vg.Rectangle
	highest := math.Inf(-1)
	trace := traces[own]
	for i := 0; i < len(trace); i += max(3, len(trace)/150) {
		at := trace[i]
		for _, rise := range []vg.Length{4, -4 - size.Y, 7, -7 - size.Y, 10, -10 - size.Y, 16, -16 - size.Y} {
			for _, shift := range []vg.Length{0, -size.X / 2, -size.X, 5} {
				box := vg.Rectangle{Min: vg.Point{X: at.X + shift, Y: at.Y + rise}}
				box.Max = box.Min.Add(size)
				if box.Min.X < area.Min.X+2 || box.Max.X > area.Max.X || box.Min.Y < area.Min.Y+1 || box.Max.Y > area.Max.Y+1 {
					continue
				}
				self, others := distance(box, trace), math.Inf(1)
				for j, t := range traces {
					if j != own {
						others = min(others, distance(box, t))
					}
				}
				score := min(others, apart) - 2*self + 4*float64((box.Min.X-area.Min.X)/area.Size().X)
				if self < near {
					score -= 100
				}
				if others < near {
					score -= 100
				}
				for _, other := range taken {
					if overlap(box, other) {
						score -= 200
					}
				}
				if score > highest {
					highest, best = score, box
				}
			}
		}
	}
	if best == (vg.Rectangle{}) { // the name is wider than the picture
		best = vg.Rectangle{Min: area.Min, Max: area.Min.Add(size)}
	}
	return best
}

// distance is from box to the nearest of the points, and 0 if one is inside it.
func distance(box vg.Rectangle, points []vg.Point) float64 {
	nearest := math.Inf(1)
	for _, p := range points {
		dx := max(box.Min.X-p.X, p.X-box.Max.X, 0)
		dy := max(box.Min.Y-p.Y, p.Y-box.Max.Y, 0)
		nearest = min(nearest, math.Hypot(float64(dx), float64(dy)))
	}
	return nearest
}

func overlap(a, b vg.Rectangle) bool {
	const gap = 6
	return a.Min.X < b.Max.X+gap && b.Min.X < a.Max.X+gap && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
