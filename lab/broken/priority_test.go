package broken

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

func TestWhoIsCaughtWithClasses(t *testing.T) {
	correct := []PriorityVariant{{
		Variant: Variant{Name: "the lab's own", Mistake: "none that we know of"},
		New: func(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
			return lab.NewPriorityController(l, s)
		},
	}}
	var m Matrix
	for _, b := range labtest.PriorityBehaviours() {
		m.Behaviours = append(m.Behaviours, b.Behaviour)
	}
	for _, v := range slices.Concat(correct, Priority) {
		m.Controllers = append(m.Controllers, v.Variant)
		var failures []error
		for _, b := range labtest.PriorityBehaviours() {
			synctest.Test(t, func(t *testing.T) { failures = append(failures, b.Check(v.New)) })
		}
		m.Failures = append(m.Failures, failures)
	}
	assertEachCaught(t, m)
	golden(t, "priority-matrix.txt", m.String())
	golden(t, "priority-failures.txt", firstFailures(m.Controllers, m.Failures))
}

func TestClassPartsAreCorrect(t *testing.T) {
	labtest.RunPriority(t, func(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
		return assembleClasses(l, s, acquireAs)
	})
}

// Most mistakes with classes are none without: with the whole line as the share of
// each class, and no class named, the rules for any controller are kept.
func TestMistakesThatNeedClasses(t *testing.T) {
	var caught []string
	for _, v := range Priority {
		isCaught := false
		for _, b := range labtest.Behaviours() {
			synctest.Test(t, func(t *testing.T) {
				isCaught = isCaught || b.Check(func(l lab.Limits) (labtest.Controller, error) {
					return v.New(l, lab.Shares{l.MaxWaiting, l.MaxWaiting, l.MaxWaiting, l.MaxWaiting})
				}) != nil
			})
		}
		if isCaught {
			caught = append(caught, v.Name)
		}
	}
	assert.Equal(t, []string{"KeepsSlotsFree", "ShareLost"}, caught)
}
