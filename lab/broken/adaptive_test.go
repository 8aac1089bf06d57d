package broken

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

func TestWhoIsCaughtWithAdjustableLimits(t *testing.T) {
	correct := []AdjustableVariant{{
		Variant: Variant{Name: "the lab's own", Mistake: "none that we know of"},
		New: func(l lab.Limits, most int) (labtest.AdjustableController, error) {
			return lab.NewAdjustable(l, most)
		},
	}}
	var m Matrix
	for _, b := range labtest.AdjustableBehaviours() {
		m.Behaviours = append(m.Behaviours, b.Behaviour)
	}
	for _, v := range slices.Concat(correct, Adjustable) {
		m.Controllers = append(m.Controllers, v.Variant)
		var failures []error
		for _, b := range labtest.AdjustableBehaviours() {
			synctest.Test(t, func(t *testing.T) { failures = append(failures, b.Check(v.New)) })
		}
		m.Failures = append(m.Failures, failures)
	}
	assertEachCaught(t, m)
	golden(t, "adjustable-matrix.txt", m.String())
	golden(t, "adjustable-failures.txt", firstFailures(m.Controllers, m.Failures))
}

func TestWhoIsCaughtWithAdaptiveLimits(t *testing.T) {
	correct := []AdaptiveVariant{{
		Variant: Variant{Name: "the lab's own", Mistake: "none that we know of"},
		New: func(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
			return lab.NewAdaptive(l, how)
		},
	}}
	var m Matrix
	for _, b := range labtest.AdaptiveBehaviours() {
		m.Behaviours = append(m.Behaviours, b.Behaviour)
	}
	for _, v := range slices.Concat(correct, Adaptive) {
		m.Controllers = append(m.Controllers, v.Variant)
		var failures []error
		for _, b := range labtest.AdaptiveBehaviours() {
			synctest.Test(t, func(t *testing.T) { failures = append(failures, b.Check(v.New)) })
		}
		m.Failures = append(m.Failures, failures)
	}
	assertEachCaught(t, m)
	golden(t, "adaptive-matrix.txt", m.String())
	golden(t, "adaptive-failures.txt", firstFailures(m.Controllers, m.Failures))
}

func TestAdaptivePartsAreCorrect(t *testing.T) {
	adjustable := func(l lab.Limits, most int) (labtest.AdjustableController, error) {
		return assembleAdjustable(l, most, setLimit, giveBack)
	}
	labtest.RunAdjustable(t, adjustable)
	labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) { return adjustable(l, l.Slots) })

	adaptive := func(l lab.Limits, how lab.Adaptation) (labtest.AdaptiveController, error) {
		return assembleAdaptive(l, how, adapt)
	}
	labtest.RunAdaptive(t, adaptive)
	labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) {
		return adaptive(l, lab.Adaptation{Min: l.Slots, Max: l.Slots, Tolerance: 1.25, Round: 4, Probe: time.Hour})
	})
}
