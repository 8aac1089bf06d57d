package main

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/internal/golden"
	"example.com/sheddinglab/lab"
)

func TestGolden(t *testing.T) {
	golden.Cases(t, run,
		golden.Case{Name: "holds", Args: golden.Measured},
		golden.Case{Name: "does-not-hold", Args: append(golden.Measured, "-sheddable-wait=500ms"), Want: lab.ErrDoesNotHold},
		golden.Case{Name: "not-covered", Args: append(golden.Measured, "-max-wait=300ms"), Want: lab.ErrInconclusive},
		golden.Case{Name: "cut-short", Args: golden.Measured, Interrupt: 4500 * time.Millisecond, Want: lab.ErrInterrupted},
	)
}

func TestOtherSettings(t *testing.T) {
	golden.OtherSettings(t, run, "-service-time=50.07ms", "-duration=8s", "-client-timeout=1s", "-warm-up=1s",
		"-budget=500ms", "-sheddable-wait=100ms", "-max-wait=600ms")
}

// Longer shares for the sheddable than for the critical make no sense.
func TestUsage(t *testing.T) {
	_, err := golden.Step(t, run, 0, append(golden.Measured, "-sheddable-wait=600ms")...)
	assert.EqualError(t, err, "shares: that of sheddable_plus is 48, want 0 to that of critical, which is 40")
	status, _ := lab.ExitStatus(err)
	assert.Equal(t, 2, status)
}

// What the text says of a bad day: the work takes four times as long, and the critical,
// 8 per second, would still fit into the 20 that can be served. Behind 8 sheddable
// requests all of them are. Behind 16 they wait for longer than the wait limit, and it
// sheds most of them.
func TestShareOnABadDay(t *testing.T) {
	for _, tt := range []struct{ share, tooLong int }{{8, 0}, {16, 83}} {
		synctest.Test(t, func(t *testing.T) {
			o, err := experiment{
				limits:      lab.Limits{Slots: 4, MaxWaiting: 40, MaxWait: 600 * time.Millisecond},
				shares:      lab.Shares{lab.CriticalPlus: 40, lab.Critical: 40, lab.SheddablePlus: tt.share, lab.Sheddable: tt.share},
				serviceTime: 4 * 50070 * time.Microsecond,
				load:        lab.OpenLoop{Rate: 159.8, Duration: 16 * time.Second, Patience: time.Second},
				critical:    0.05,
				seed:        1,
			}.run(t.Context())
			assert.NoError(t, err)
			assert.Equal(t, 136, o.critical.Offered)
			assert.Equal(t, tt.tooLong, o.critical.WaitedTooLong)
			assert.Equal(t, tt.tooLong, o.critical.Shed)
		})
	}
}
