package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// 10,000 refusals in 5 s are a handful of lines, whose counts, with what has not
// been told yet, add up.
func TestRefusalLogIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewController(Limits{Slots: 1, MaxWait: time.Second})
		require.NoError(t, err)
		require.NoError(t, c.Acquire(t.Context()))
		var out bytes.Buffer
		gate := LogRefusals(c, slog.New(slog.NewJSONHandler(&out, nil)))
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				for range 1000 {
					assert.Error(t, gate.Do(t.Context(), nil))
					time.Sleep(5 * time.Millisecond)
				}
			})
		}
		wg.Wait()

		lines, told := 0, 0
		for in := json.NewDecoder(&out); in.More(); lines++ {
			var line struct {
				Level, Msg, Reason      string
				Count, Running, Waiting int
			}
			require.NoError(t, in.Decode(&line))
			assert.Positive(t, line.Count)
			told += line.Count
			line.Count = 0
			assert.Equal(t, struct {
				Level, Msg, Reason      string
				Count, Running, Waiting int
			}{"WARN", "requests shed", "line_full", 0, 1, 0}, line)
		}
		assert.Equal(t, 5, lines, "at 0, 1, 2, 3 and 4 s")
		assert.EqualValues(t, 10_000, told+int(gate.(*refusalLog).count.Load()))
		assert.Equal(t, 10_000, gate.Stats().ShedLineFull)
	})
}

// The log changes nothing, and a line is about nobody but those who were shed.
func TestRefusalLogChangesNothing(t *testing.T) {
	c, err := NewController(Limits{Slots: 1})
	require.NoError(t, err)
	var out bytes.Buffer
	gate := LogRefusals(c, slog.New(slog.NewTextHandler(&out, nil)))

	assert.NoError(t, gate.Do(t.Context(), func() error { return nil }))
	failed := errors.New("the work failed")
	assert.Same(t, failed, gate.Do(t.Context(), func() error { return failed }))
	gone, leave := context.WithCancel(t.Context())
	leave()
	assert.Equal(t, context.Canceled, gate.Do(gone, nil))
	assert.PanicsWithValue(t, "boom", func() { gate.Do(t.Context(), func() error { panic("boom") }) })
	assert.Empty(t, out.String(), "nobody was shed")

	require.NoError(t, c.Acquire(t.Context()))
	assert.Same(t, c.lineFull, gate.Do(t.Context(), nil))
	assert.Contains(t, out.String(), `msg="requests shed" count=1 reason=line_full running=1 waiting=0`+"\n")
	assert.Equal(t, c.Stats(), gate.Stats())
}
