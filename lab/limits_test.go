package lab_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

func TestLimitsThatMakeNoSense(t *testing.T) {
	for _, tt := range []struct {
		limits lab.Limits
		want   string
	}{
		{lab.Limits{}, "limits: Slots is 0, want at least 1"},
		{lab.Limits{Slots: -1}, "limits: Slots is -1, want at least 1"},
		{lab.Limits{Slots: lab.NoLimit}, "limits: Slots is -1, want at least 1"},
		{lab.Limits{Slots: 1, MaxWaiting: -2}, "limits: MaxWaiting is -2, want at least 0, or NoLimit"},
		{lab.Limits{Slots: 1, MaxWait: -2}, "limits: MaxWait is -2ns, want at least 0s, or NoLimit"},
		{lab.Limits{Slots: 1, MaxWait: -time.Second}, "limits: MaxWait is -1s, want at least 0s, or NoLimit"},
		{lab.Limits{Slots: 1, MaxWait: math.MinInt64}, "limits: MaxWait is -2562047h47m16.854775808s, want at least 0s, or NoLimit"},
		{lab.Limits{Slots: 1, RetryAfter: -1}, "limits: RetryAfter is -1ns, want 0s to 24h"},
		{lab.Limits{Slots: 1, RetryAfter: 24*time.Hour + 1}, "limits: RetryAfter is 24h0m0.000000001s, want 0s to 24h"},
		{lab.Limits{Slots: 0, MaxWaiting: -2}, "limits: Slots is 0, want at least 1"}, // the first fault is named
	} {
		c, err := lab.NewController(tt.limits)
		assert.EqualError(t, err, tt.want)
		assert.Nil(t, c)
	}
}

func TestLimitsThatMakeSense(t *testing.T) {
	for _, l := range []lab.Limits{
		{Slots: 1},
		{Slots: math.MaxInt}, // a channel of empty structs takes no room
		{Slots: 1, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit},
		{Slots: 1, MaxWaiting: math.MaxInt, MaxWait: math.MaxInt64},
		{Slots: 1, RetryAfter: 24 * time.Hour},
	} {
		c, err := lab.NewController(l)
		require.NoError(t, err, "%+v", l)
		assert.NoError(t, c.Do(t.Context(), func() error { return nil }), "%+v", l)
	}
}

// Go leaves open which integer a NaN becomes: on amd64 it is the smallest one,
// on arm64 it is 0. Either is fine, as long as it is not NoLimit.
func TestLimitThatWasNotANumber(t *testing.T) {
	seconds := math.NaN()
	wait := time.Duration(seconds * float64(time.Second))
	_, err := lab.NewController(lab.Limits{Slots: 1, MaxWait: wait})
	assert.True(t, err != nil || wait == 0, "MaxWait %v was accepted", wait)
}

func TestOverloadedIsFoundInAWrappedError(t *testing.T) {
	shed := &lab.Overloaded{Reason: lab.LineFull, RetryAfter: time.Second}
	found, ok := errors.AsType[*lab.Overloaded](errors.Join(errors.New("checkout"), shed))
	assert.True(t, ok)
	assert.Same(t, shed, found)
	assert.EqualError(t, shed, "overloaded: line_full")
}

func TestLittlesLaw(t *testing.T) {
	for _, c := range []struct {
		rate float64
		wait time.Duration
		want int
	}{
		{80, 500 * time.Millisecond, 40},
		{79.9, 500 * time.Millisecond, 40}, // 39.95
		{79.9, 50 * time.Millisecond, 4},
		{79.9, 0, 0},
	} {
		assert.Equal(t, c.want, lab.LittlesLaw(c.rate, c.wait), "%v/s for %v", c.rate, c.wait)
	}
}
