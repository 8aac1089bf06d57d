package broken

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

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
	for c, v := range variants {
		assert.Equal(t, c > 0, len(m.Caught(c)) > 0, "%s: is it caught?", v.Name)
	}
	for b, behaviour := range behaviours {
		assert.NotEmpty(t, m.Catches(b), "%s: it catches nobody", behaviour)
	}
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
