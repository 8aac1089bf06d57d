package labtest_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// In a bubble the checks are run by the tests of package lab.
func TestAdjustableChecksOnTheWallClock(t *testing.T) {
	for _, b := range labtest.AdjustableBehaviours() {
		t.Run(b.String(), func(t *testing.T) {
			onTheWallClock(t, func() error {
				return b.Check(func(l lab.Limits, most int) (labtest.AdjustableController, error) {
					return lab.NewAdjustable(l, most)
				})
			})
		})
	}
}

func TestAdaptiveBehavioursExplainThemselves(t *testing.T) {
	numbers := make(map[int]bool)
	explains := func(b labtest.Behaviour) {
		assert.False(t, numbers[b.Number], "number %d twice", b.Number)
		numbers[b.Number] = true
		assert.NotEmpty(t, b.Name)
		assert.True(t, strings.HasSuffix(b.Rule, "."), "%s: the rule is no sentence", b)
		assert.True(t, strings.HasSuffix(b.Look, "."), "%s: where to look is no sentence", b)
	}
	for _, b := range labtest.Behaviours() {
		explains(b)
	}
	for _, b := range labtest.AdjustableBehaviours() {
		explains(b.Behaviour)
	}
	for _, b := range labtest.AdaptiveBehaviours() {
		explains(b.Behaviour)
	}
}

func TestAdaptiveConstructorsThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		noRoom := errors.New("no room")
		err := labtest.AdjustableBehaviours()[0].Check(func(lab.Limits, int) (labtest.AdjustableController, error) {
			return nil, noRoom
		})
		assert.ErrorContains(t, err, "no room")
		err = labtest.AdaptiveBehaviours()[0].Check(func(lab.Limits, lab.Adaptation) (labtest.AdaptiveController, error) {
			return nil, noRoom
		})
		assert.ErrorContains(t, err, "no room")
	})
}
