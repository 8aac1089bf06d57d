package lab

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFindKnee(t *testing.T) {
	for _, tt := range []struct {
		name   string
		points []Point
		want   Shape
		knee   Point
	}{
		{"nothing sent", nil, Untested, Point{}},
		{"protected", []Point{{40, 40}, {80, 79}, {160, 80}, {320, 80}}, Plateau, Point{}},
		{"unprotected", []Point{{40, 40}, {80, 79}, {120, 17}, {320, 0}}, Cliff, Point{120, 17}},
		{"a cliff with its edge further out", []Point{{80, 80}, {120, 70}, {320, 10}}, Cliff, Point{120, 70}},
		{"it sags", []Point{{40, 40}, {80, 80}, {160, 66}, {320, 60}}, Slope, Point{160, 66}},
		{"half is left", []Point{{160, 40}}, Slope, Point{160, 40}},
		{"less than half is left", []Point{{160, 39}}, Cliff, Point{160, 39}},
		{"nothing at all", []Point{{40, 0}, {80, 0}}, TooLow, Point{40, 0}},
		{"short below the capacity", []Point{{40, 30}, {160, 79}}, TooLow, Point{40, 30}},
		{"just not below", []Point{{40, 36}, {160, 72}}, Plateau, Point{}},
		{"no overload", []Point{{40, 40}, {80, 80}}, Untested, Point{}},
		{"a line is growing", []Point{{80, 80}, {120, 118}}, Storing, Point{}},
		{"it grew until it broke", []Point{{120, 118}, {320, 30}}, Cliff, Point{320, 30}},
	} {
		shape, knee := FindKnee(80, tt.points)
		assert.Equal(t, tt.want, shape, tt.name)
		assert.Equal(t, tt.knee, knee, tt.name)

		downwards := slices.Clone(tt.points)
		slices.Reverse(downwards)
		shape, knee = FindKnee(80, downwards)
		assert.Equal(t, tt.want, shape, "%s, from above", tt.name)
		assert.Equal(t, tt.knee, knee, "%s, from above", tt.name)
	}
}
