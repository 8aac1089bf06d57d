package lab

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Curve is one line of a [Plot].
type Curve struct {
	Mark byte      // stands at the points; '*' stands where those of two curves meet
	Y    []float64 // one for each x, at least 0
}

const (
	plotWidth  = 60 // columns from x = 0 to the largest x
	plotHeight = 10 // lines from y = 0 to the largest y
)

// Plot draws curves over the same x, which are above 0 and rise. Dots join the
// points of a curve; between two points nothing was measured.
func Plot(x []float64, curves ...Curve) string {
	top := 0.0
	for _, c := range curves {
		for _, y := range c.Y {
			top = max(top, y)
		}
	}
	if top == 0 {
		top = 1
	}
	column := func(x0 float64) int { return int(math.Round(x0 / x[len(x)-1] * plotWidth)) }
	line := func(y float64) int { return plotHeight - int(math.Round(y/top*plotHeight)) }

	var grid [plotHeight + 1][plotWidth + 1]byte
	for i := range grid {
		copy(grid[i][:], strings.Repeat(" ", plotWidth+1))
	}
	for _, c := range curves { // the dots first, so that they hide no point
		for i := 1; i < len(x); i++ {
			from, to := column(x[i-1]), column(x[i])
			for at := from + 1; at < to; at++ {
				share := float64(at-from) / float64(to-from)
				grid[line(c.Y[i-1]+share*(c.Y[i]-c.Y[i-1]))][at] = '.'
			}
		}
	}
	for _, c := range curves {
		for i, y := range c.Y {
			at := &grid[line(y)][column(x[i])]
			if *at == ' ' || *at == '.' || *at == c.Mark {
				*at = c.Mark
			} else {
				*at = '*'
			}
		}
	}

	var plot strings.Builder
	for i := range grid {
		label := ""
		if i%(plotHeight/2) == 0 {
			label = fmt.Sprintf("%.0f", top*float64(plotHeight-i)/plotHeight)
		}
		fmt.Fprintln(&plot, strings.TrimRight(fmt.Sprintf("%6s |%s", label, grid[i][:]), " "))
	}
	fmt.Fprintf(&plot, "%6s +%s\n", "", strings.Repeat("-", plotWidth+1))
	ticks := ""
	for _, x0 := range x {
		text := strconv.FormatFloat(x0, 'g', -1, 64)
		ticks = fmt.Sprintf("%-*s", 8+column(x0)-len(text)/2, ticks) + text
	}
	fmt.Fprintln(&plot, ticks)
	return plot.String()
}
