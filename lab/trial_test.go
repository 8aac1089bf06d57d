package lab

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// overload is a trial at twice the capacity of 4 slots of 50.07 ms.
func overload() Trial {
	return Trial{
		Policy:      "test",
		Limits:      Limits{Slots: 4, MaxWaiting: NoLimit, MaxWait: NoLimit},
		ServiceTime: Constant(50070 * time.Microsecond),
		Load:        OpenLoop{Rate: 160, Duration: 5 * time.Second, Patience: time.Second},
		WarmUp:      time.Second,
	}
}

func runTrial(t *testing.T, trial Trial) (s Summary) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		s, err = trial.Run(t.Context())
		require.NoError(t, err)
	})
	return s
}

// Honouring a hang-up saves the server work, and nobody else anything: a slot
// still goes to whoever is about to give up. Only a bound saves the goodput.
func TestTrialHangUp(t *testing.T) {
	trial := overload()
	ignored := runTrial(t, trial)
	trial.Load.HangUp = true
	honoured := runTrial(t, trial)
	trial.Limits.MaxWaiting = 40
	bounded := runTrial(t, trial)

	assert.Zero(t, ignored.Steady)
	assert.InDelta(t, 328, ignored.Wasted, 1)
	assert.Equal(t, 400, ignored.PeakLine)

	assert.Less(t, honoured.Steady, 2.0)
	assert.Zero(t, honoured.Wasted)
	assert.Less(t, honoured.PeakLine, 200)

	assert.InDelta(t, 80, bounded.Steady, 1)
}

func TestTrialBadInput(t *testing.T) {
	for want, change := range map[string]func(*Trial){
		"limits: Slots is 0, want at least 1":                                             func(tr *Trial) { tr.Limits.Slots = 0 },
		"open loop: rate is 0/s, want a finite number above 0":                            func(tr *Trial) { tr.Load.Rate = 0 },
		"trial: warm-up is 5s, want at least 0s and less than the duration, which is 5s":  func(tr *Trial) { tr.WarmUp = 5 * time.Second },
		"trial: warm-up is -1s, want at least 0s and less than the duration, which is 5s": func(tr *Trial) { tr.WarmUp = -time.Second },
	} {
		trial := overload()
		change(&trial)
		_, err := trial.Run(t.Context())
		assert.EqualError(t, err, want)
	}
}

// The clients' counts and the controller's are held against each other.
func TestTrialAudit(t *testing.T) {
	s := Summary{Offered: 6, OK: 1, Shed: 2, Timeout: 1, Failed: 1, NotSent: 1}
	good := Stats{Arrived: 5, Admitted: 3, ShedLineFull: 2}
	assert.NoError(t, audit(s, good))
	for _, bad := range []func(*Summary, *Stats){
		func(s *Summary, _ *Stats) { s.OK++ },
		func(s *Summary, _ *Stats) { s.NotSent-- },
		func(_ *Summary, c *Stats) { c.Arrived-- },
		func(_ *Summary, c *Stats) { c.Running = 1 },
		func(_ *Summary, c *Stats) { c.Waiting = 1 },
	} {
		s, c := s, good
		bad(&s, &c)
		assert.ErrorContains(t, audit(s, c), "the sums do not add up")
	}
}

// After an interrupt, work that nobody waits for any more is cut off.
func TestTrialInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		trial := overload()
		trial.ServiceTime = Constant(24 * time.Hour)
		start := time.Now()
		s, err := trial.Run(ctx)
		require.NoError(t, err)
		assert.Positive(t, s.NotSent)
		assert.Equal(t, 2500*time.Millisecond, time.Since(start), "the interrupt and one patience")
	})
}
