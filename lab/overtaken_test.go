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

func TestSlotIsTakenAwayDespiteAQuickerOne(t *testing.T) {
	for _, tt := range []struct {
		name     string
		quicker  func(c *Controller) // what he does a little later
		heldBack int
	}{
		{"a Release, which ends", func(c *Controller) { <-c.slots }, 1},
		{"a newcomer, who has a place", func(c *Controller) { c.line.inside.Add(1) }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := NewAdjustable(Limits{Slots: 2, MaxWaiting: 1, MaxWait: NoLimit}, 2)
			require.NoError(t, err)
			require.NoError(t, a.Acquire(context.Background()))
			a.c.slots <- struct{}{}

			returned := make(chan struct{})
			go func() {
				a.SetLimit(1)
				close(returned)
			}()
			runtime.Gosched()
			tt.quicker(a.c)
			select {
			case <-returned:
			case <-time.After(10 * time.Second):
				t.Fatal("SetLimit waits for somebody")
			}
			assert.Equal(t, tt.heldBack, a.heldBack)
			a.Release()
			assert.Equal(t, 1, a.heldBack, "when the next slot is given back")
		})
	}
}
