package lab

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlot(t *testing.T) {
	plot := Plot([]float64{0.5, 1, 2}, Curve{'u', []float64{40, 80, 0}}, Curve{'p', []float64{40, 80, 80}})
	assert.Equal(t, `
    80 |                             .*.............................p
       |                          ...   ...
       |                       ...         ...
       |                    ...               ...
       |                 ...                     ...
    40 |               *.                           ...
       |                                               ...
       |                                                  ...
       |                                                     ...
       |                                                        ...
     0 |                                                           .u
       +-------------------------------------------------------------
                      0.5             1                             2
`, "\n"+plot)
}

// Every curve fits into 80 columns, also one of zeros, one of huge figures, and one
// whose points fall on one spot.
func TestPlotFits(t *testing.T) {
	for _, y := range [][]float64{{0, 0, 0}, {1e5, 0, 99999}, {0.001, 0.002, 0}} {
		plot := Plot([]float64{0.001, 0.002, 1000}, Curve{'a', y}, Curve{'b', y})
		assert.Equal(t, 13, strings.Count(plot, "\n"))
		for line := range strings.Lines(plot) {
			assert.LessOrEqual(t, len(line), 80+len("\n"), plot)
		}
	}
}
