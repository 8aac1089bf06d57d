package lab

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		readings := Watch(ctx, func() int { return int(time.Since(start).Milliseconds()) })
		assert.Equal(t, []int{51, 151, 251}, readings)
	})
}

func TestWatchEndedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Empty(t, Watch(ctx, func() int { panic("read after the end") }))
}
