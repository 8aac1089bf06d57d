package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/plot/vg"
)

func TestPlace(t *testing.T) {
	area := vg.Rectangle{Max: vg.Point{X: 300, Y: 100}}
	level := func(y vg.Length) []vg.Point { return dense([]vg.Point{{X: 0, Y: y}, {X: 300, Y: y}}) }
	size := vg.Point{X: 60, Y: 11}
	for name, traces := range map[string][][]vg.Point{
		"alone":             {level(50)},
		"at the bottom":     {level(0)},
		"at the top":        {level(100)},
		"near another":      {level(50), level(56)},
		"between two":       {level(50), level(30), level(70)},
		"the same as other": {level(40), level(40)},
		"steep":             {dense([]vg.Point{{X: 150, Y: 0}, {X: 150, Y: 100}})},
	} {
		t.Run(name, func(t *testing.T) {
			var taken []vg.Rectangle
			for own := range traces {
				box := place(area, size, own, traces, taken)
				assert.GreaterOrEqual(t, box.Min.X, area.Min.X)
				assert.LessOrEqual(t, box.Max.X, area.Max.X)
				for _, trace := range traces {
					assert.Positive(t, distance(box, trace), "no line through the name")
				}
				assert.Less(t, distance(box, traces[own]), 20.0, "near its own line")
				for _, other := range taken {
					assert.False(t, overlap(box, other), "on another name")
				}
				taken = append(taken, box)
			}
		})
	}
	assert.NotPanics(t, func() { place(area, vg.Point{X: 900, Y: 11}, 0, [][]vg.Point{level(5)}, nil) })
}
