package lab

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mixed is a load whose even clients wait for one second, and whose odd ones for three.
func mixed() OpenLoop {
	return OpenLoop{
		Rate: 10, Duration: 2 * time.Second, Patience: 3 * time.Second,
		PatienceOf: func(i int) time.Duration { return time.Duration(1+2*(i%2)) * time.Second },
	}
}

// Each client's own patience decides whether its answer is in time.
func TestMixedPatience(t *testing.T) {
	s, took := run(t, mixed(), answer(2*time.Second))
	assert.Equal(t, 10, s.OK)
	assert.Equal(t, 10, s.Timeout)
	assert.Equal(t, 10, s.Wasted, "the work of those who had gone")
	for i, x := range s.samples {
		assert.Equal(t, map[int]Outcome{0: Timeout, 1: OK}[i%2], x.Outcome, i)
	}
	assert.Equal(t, 1900*time.Millisecond+2*time.Second, took)

	s, _ = run(t, mixed(), answer(time.Second-1))
	assert.Equal(t, 20, s.OK)
	s, took = run(t, mixed(), answer(time.Hour))
	assert.Equal(t, 20, s.Timeout)
	assert.Equal(t, 5*time.Second, took, "duration + longest patience")
}

// With HangUp, each client takes its request along when its own patience is over.
func TestMixedPatienceHangUp(t *testing.T) {
	load := mixed()
	load.HangUp = true
	var finished atomic.Int64
	s, _ := run(t, load, func(ctx context.Context) error {
		err := PretendWork(ctx, 2*time.Second)
		if err == nil {
			finished.Add(1)
		}
		return err
	})
	assert.Equal(t, 10, s.OK)
	assert.Equal(t, 10, s.Timeout)
	assert.Zero(t, s.Wasted)
	assert.EqualValues(t, 10, finished.Load())
}

// Patience counts from due, also for a sender that is late.
func TestMixedPatienceLateSends(t *testing.T) {
	load := mixed()
	load.OnSend = func(i int) {
		if i == 0 {
			time.Sleep(1500 * time.Millisecond)
		}
	}
	s, _ := run(t, load, answer(10*time.Millisecond))
	assert.Equal(t, Timeout, s.samples[4].Outcome, "due at 0.4 s, sent at 1.5 s")
	assert.Equal(t, OK, s.samples[5].Outcome, "due at 0.5 s, and its client waits for 3 s")
}

// Cut short, the sums hold, and the clients on their way are waited for.
func TestMixedPatienceInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1050*time.Millisecond)
		defer cancel()
		samples, err := mixed().Run(ctx, answer(2*time.Second))
		require.NoError(t, err)
		s := Summarize("test", mixed(), 0, samples)
		assert.Equal(t, []int{20, 5, 6, 9}, []int{s.Offered, s.OK, s.Timeout, s.NotSent})
	})
}

func TestMixedPatienceBadInput(t *testing.T) {
	for want, patience := range map[string]time.Duration{
		"open loop: patience of request 3 is 0s, want more than 0s and at most 3s":  0,
		"open loop: patience of request 3 is -1s, want more than 0s and at most 3s": -time.Second,
		"open loop: patience of request 3 is 4s, want more than 0s and at most 3s":  4 * time.Second,
	} {
		load := mixed()
		load.PatienceOf = func(i int) time.Duration {
			if i == 3 {
				return patience
			}
			return time.Second
		}
		_, err := load.Run(t.Context(), func(context.Context) error { panic("sent") })
		assert.EqualError(t, err, want)
	}
}

// How late sends may be is a share of what the clients of this load wait, and not of
// the longest patience.
func TestMixedPatienceLateBound(t *testing.T) {
	assert.Equal(t, 20*time.Millisecond, Summarize("test", mixed(), 0, nil).LateBound())
	load := mixed()
	load.PatienceOf = nil
	assert.Equal(t, 30*time.Millisecond, Summarize("test", load, 0, nil).LateBound())
}

// Each request is sent once, and knows its number.
func TestRunEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		load, start := mixed(), time.Now()
		var sent [20]atomic.Int64
		_, err := load.RunEach(t.Context(), func(_ context.Context, i int) error {
			sent[i].Add(1)
			assert.Equal(t, load.Due(i), time.Since(start))
			return nil
		})
		require.NoError(t, err)
		for i := range sent {
			assert.EqualValues(t, 1, sent[i].Load(), i)
		}
	})
}
