package lab_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// With its limit left alone an Adjustable is a Controller, also if it holds slots back.
func TestAdjustableKeepsTheRules(t *testing.T) {
	for _, spare := range []int{0, 3} {
		labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) {
			return lab.NewAdjustable(l, l.Slots+spare)
		})
	}
}

// Case F2 is behaviours 51 and 52.
func TestAdjustableBehaviours(t *testing.T) {
	labtest.RunAdjustable(t, func(l lab.Limits, most int) (labtest.AdjustableController, error) {
		return lab.NewAdjustable(l, most)
	})
}

func TestBadAdjustable(t *testing.T) {
	_, err := lab.NewAdjustable(lab.Limits{Slots: 4}, 3)
	assert.EqualError(t, err, "adjustable: Slots is 4, want at most 3")
	_, err = lab.NewAdjustable(lab.Limits{Slots: 0}, 3)
	assert.EqualError(t, err, "limits: Slots is 0, want at least 1")
}

// Case C5, with slots held back that must not be mistaken for held ones.
func TestAdjustableReleaseWithoutAcquire(t *testing.T) {
	a, err := lab.NewAdjustable(lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: time.Second}, 4)
	require.NoError(t, err)
	require.NoError(t, a.Acquire(t.Context()))
	a.Release()
	assert.PanicsWithValue(t, "lab: Adjustable.Release without a matching Acquire", a.Release)
	assert.Equal(t, 0, a.Stats().Running)
	require.NoError(t, a.Acquire(t.Context()))
	assert.Equal(t, 1, a.Stats().Running)
}

// A held-back slot counts nowhere: neither as running nor as admitted nor in line.
func TestAdjustableStats(t *testing.T) {
	a, err := lab.NewAdjustable(lab.Limits{Slots: 2, MaxWaiting: 1, MaxWait: time.Second}, 9)
	require.NoError(t, err)
	assert.Equal(t, lab.Stats{}, a.Stats())
	require.NoError(t, a.Do(t.Context(), func() error {
		assert.Equal(t, lab.Stats{Running: 1, Arrived: 1, Admitted: 1}, a.Stats())
		a.SetLimit(1)
		assert.Equal(t, lab.Stats{Running: 1, Arrived: 1, Admitted: 1}, a.Stats())
		return nil
	}))
}

func TestAdjustableDoesNotAllocate(t *testing.T) {
	a, err := lab.NewAdjustable(lab.Limits{Slots: 2}, 9)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		if a.Acquire(t.Context()) == nil {
			a.Release()
		}
	}))
}
