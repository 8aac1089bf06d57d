package labtest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// In a bubble they are run by the tests of package lab.
func TestPriorityChecksOnTheWallClock(t *testing.T) {
	for _, b := range labtest.PriorityBehaviours() {
		t.Run(b.String(), func(t *testing.T) {
			onTheWallClock(t, func() error {
				return b.Check(func(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
					return lab.NewPriorityController(l, s)
				})
			})
		})
	}
}

func TestPriorityBehavioursExplainThemselves(t *testing.T) {
	numbers := make(map[int]bool)
	for _, b := range labtest.Behaviours() {
		numbers[b.Number] = true
	}
	for _, b := range labtest.PriorityBehaviours() {
		assert.False(t, numbers[b.Number], "number %d twice", b.Number)
		numbers[b.Number] = true
		assert.NotEmpty(t, b.Name)
		assert.True(t, strings.HasSuffix(b.Rule, "."), "%s: the rule is no sentence", b)
		assert.True(t, strings.HasSuffix(b.Look, "."), "%s: where to look is no sentence", b)
	}
}

func TestPriorityConstructorThatFails(t *testing.T) {
	err := labtest.PriorityBehaviours()[0].Check(func(lab.Limits, lab.Shares) (labtest.PriorityController, error) {
		return nil, errors.New("no room")
	})
	assert.ErrorContains(t, err, "the constructor refused {Slots:2 MaxWaiting:1 MaxWait:1s\n              RetryAfter:0s} with shares of [0 0 0 1]: no room")
}
