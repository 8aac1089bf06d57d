package lab

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Between its place inside and its slot there is an instant in which a request can be
// overtaken: it finds the channel full, though fewer than that are inside. The same is
// to be seen while a Release has given up its place and not yet its slot.
//
// These tests put the token of the quicker one into the channel themselves.

func TestOvertakenIsInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const maxWait = 100 * time.Millisecond
		c, err := NewController(Limits{Slots: 1, MaxWaiting: 1, MaxWait: maxWait})
		require.NoError(t, err)
		c.slots <- struct{}{}

		start := time.Now()
		assert.Equal(t, c.waitedTooLong, c.Acquire(context.Background()))
		assert.Equal(t, maxWait, time.Since(start))

		ctx, cancel := context.WithTimeout(context.Background(), maxWait/2)
		defer cancel()
		start = time.Now()
		assert.Equal(t, context.DeadlineExceeded, c.Acquire(ctx))
		assert.Equal(t, maxWait/2, time.Since(start))
		assert.Zero(t, c.line.inside.Load(), "nobody keeps a place")

		time.AfterFunc(maxWait/2, func() { <-c.slots })
		assert.NoError(t, c.Acquire(context.Background()))
		c.Release()
		assert.Zero(t, c.line.inside.Load())
	})
}

// Where nobody may stand in line, nobody can be overtaken.
func TestReleaseThatHasBegunIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewController(Limits{Slots: 1})
		require.NoError(t, err)
		c.slots <- struct{}{}
		time.AfterFunc(time.Second, func() { <-c.slots })
		assert.NoError(t, c.Acquire(context.Background()))
	})
}

// A request that gives up may be slow to leave. When it does, no slot is left over
// that a lower limit should have taken away.
func TestLoweredWhileOneGivesUp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // whoever is woken runs when the test waits
	for _, tt := range []struct {
		name string
		ends func(a *Adjustable, giveUp func())
	}{
		{"a slot comes to it", func(a *Adjustable, giveUp func()) { a.Release(); giveUp() }},
		{"it is still counted", func(a *Adjustable, giveUp func()) { giveUp(); a.Release() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, err := NewAdjustable(Limits{Slots: 2, MaxWaiting: 1, MaxWait: time.Second}, 2)
				require.NoError(t, err)
				require.NoError(t, a.Acquire(context.Background()))
				require.NoError(t, a.Acquire(context.Background()))
				ctx, giveUp := context.WithCancel(context.Background())
				waited := make(chan error, 1)
				go func() { waited <- a.Acquire(ctx) }()
				synctest.Wait()

				tt.ends(a, giveUp)
				a.SetLimit(1)
				assert.Equal(t, context.Canceled, <-waited)
				assert.Equal(t, 1, a.heldBack)
				assert.Equal(t, a.c.waitedTooLong, a.Acquire(context.Background()), "a second at work under a limit of 1")
				a.Release()
				assert.NoError(t, a.Acquire(context.Background()))
				assert.Equal(t, 1, a.Stats().PeakLine)
			})
		})
	}
}

// Nor does SetLimit wait for somebody who is quicker.
func TestLoweredWhileOneIsQuicker(t *testing.T) {
	a, err := NewAdjustable(Limits{Slots: 2, MaxWaiting: 1, MaxWait: NoLimit}, 2)
	require.NoError(t, err)
	require.NoError(t, a.Acquire(context.Background()))
	a.c.slots <- struct{}{}
	a.SetLimit(1)
	assert.Zero(t, a.heldBack)
	a.Release()
	assert.Equal(t, 1, a.heldBack, "when the next slot is given back")
}
