package broken

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

func TestWhoIsCaughtWithDeadlines(t *testing.T) {
	correct := []Variant{{
		Name:    "DeadlineGate",
		Mistake: "none that we know of",
		New: func(l lab.Limits) (labtest.Controller, error) {
			c, err := lab.NewController(l)
			if err != nil {
				return nil, err
			}
			return &lab.DeadlineGate{Gate: c}, nil
		},
	}}
	variants, behaviours := slices.Concat(correct, Deadlines), labtest.DeadlineBehaviours()
	m := Matrix{variants, behaviours, check(t, variants, behaviours)}
	assertEachCaught(t, m)
	golden(t, "deadline-matrix.txt", m.String())
	golden(t, "deadline-failures.txt", firstFailures(variants, m.Failures))
}

func TestDeadlinePartsAreCorrect(t *testing.T) {
	correct := func(l lab.Limits) (labtest.Controller, error) {
		return assembleDeadlines(l, func(*deadlineParts) {})
	}
	labtest.Run(t, correct)
	labtest.RunDeadlines(t, correct)
}

// Whatever its random numbers are, a controller passes or fails the rule for
// Retry-After by what it expects of the line, and not by luck: nobody's own test of
// his own controller may fail once in a hundred runs.
func TestRetryAfterIsNoMatterOfChance(t *testing.T) {
	followsTheLine := labtest.DeadlineBehaviours()[11]
	require.Equal(t, 42, followsTheLine.Number)
	for _, c := range []struct {
		expects float64 // x the time in which the line will be served
		passes  bool
	}{{1, true}, {0.95, true}, {1.05, true}, {0.8, false}, {1.2, false}} {
		random := 0.0
		extremes := func() float64 {
			random = math.Nextafter(1, 0) - random
			return random
		}
		synctest.Test(t, func(t *testing.T) {
			err := followsTheLine.Check(func(l lab.Limits) (labtest.Controller, error) {
				return assembleDeadlines(l, func(p *deadlineParts) {
					wait := p.wait
					p.wait = func() time.Duration { return time.Duration(c.expects * float64(wait())) }
					p.random = extremes
				})
			})
			assert.Equal(t, c.passes, err == nil, "a controller that expects %v x the time: %v", c.expects, err)
		})
	}
}
