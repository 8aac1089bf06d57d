package lab

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScheduleCount(t *testing.T) {
	for _, c := range []struct {
		rate     float64
		duration time.Duration
		want     int
	}{
		{160, 5 * time.Second, 800},
		{0.29, 100 * time.Second, 29}, // 0.29 x 100 is 28.999… in floating point
		{33.3, 3 * time.Second, 100},
		{7, 500 * time.Millisecond, 4}, // 3.5, halves up
		{1, 30 * time.Second, 30},
		{1000, 2 * time.Second, 2000},
		{5000, 2 * time.Second, 10000},
		{1, time.Second, 1},
	} {
		assert.Equal(t, c.want, OpenLoop{Rate: c.rate, Duration: c.duration}.Count(), "%v/s for %v", c.rate, c.duration)
	}
}

func TestScheduleDue(t *testing.T) {
	for _, c := range []struct {
		rate float64
		i    int
		want time.Duration
	}{
		{160, 0, 0},
		{160, 1, 6250 * time.Microsecond},
		{160, 799, 4993750 * time.Microsecond},
		{3, 1, 333333333},
		{3, 2, 666666667},
		{3, 3_000_000, 1_000_000 * time.Second}, // no drift, however far
		{0.5, 1, 2 * time.Second},
	} {
		assert.Equal(t, c.want, OpenLoop{Rate: c.rate}.Due(c.i), "request %d at %v/s", c.i, c.rate)
	}
}

func TestOpenLoopBadInput(t *testing.T) {
	good := OpenLoop{Rate: 10, Duration: time.Second, Patience: time.Second}
	for want, change := range map[string]func(*OpenLoop){
		"open loop: rate is 0/s, want a finite number above 0":                 func(l *OpenLoop) { l.Rate = 0 },
		"open loop: rate is -5/s, want a finite number above 0":                func(l *OpenLoop) { l.Rate = -5 },
		"open loop: rate is NaN/s, want a finite number above 0":               func(l *OpenLoop) { l.Rate = math.NaN() },
		"open loop: rate is +Inf/s, want a finite number above 0":              func(l *OpenLoop) { l.Rate = math.Inf(1) },
		"open loop: duration is 0s, want more than 0s":                         func(l *OpenLoop) { l.Duration = 0 },
		"open loop: duration is -1s, want more than 0s":                        func(l *OpenLoop) { l.Duration = -time.Second },
		"open loop: patience is 0s, want more than 0s":                         func(l *OpenLoop) { l.Patience = 0 },
		"open loop: duration is 1s and patience 25h0m0s, want at most 24h0m0s": func(l *OpenLoop) { l.Patience = 25 * time.Hour },
		"open loop: 1/s for 100ms is not one request":                          func(l *OpenLoop) { l.Rate, l.Duration = 1, 100*time.Millisecond },
		"open loop: 1e+12/s for 1s is 1e+12 requests, want at most 10000000":   func(l *OpenLoop) { l.Rate = 1e12 },
	} {
		load := good
		change(&load)
		_, err := load.Run(t.Context(), func(context.Context) error { panic("sent") })
		assert.EqualError(t, err, want)
	}
}

// answer is a service that answers every request after d, or when it is cancelled.
func answer(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error { return PretendWork(ctx, d) }
}

// run runs a load in virtual time and summarizes it.
func run(t *testing.T, load OpenLoop, send func(context.Context) error) (s Summary, took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		samples, err := load.Run(t.Context(), send)
		require.NoError(t, err)
		took = time.Since(start)
		s = Summarize("test", load, 0, samples)
		assert.Equal(t, s.Offered, s.OK+s.Shed+s.Timeout+s.Failed+s.NotSent)
	})
	return s, took
}

// Every request is sent at its instant, and counted there.
func TestOpenLoopOnTime(t *testing.T) {
	s, took := run(t, OpenLoop{Rate: 160, Duration: 5 * time.Second, Patience: time.Second}, answer(50*time.Millisecond))
	assert.Equal(t, 800, s.OK)
	assert.EqualValues(t, 50, s.P50)
	assert.EqualValues(t, 50, s.P99)
	assert.Zero(t, s.LateMax)
	assert.InDelta(t, 160, s.Goodput, 1e-9)
	assert.Equal(t, OpenLoop{Rate: 160}.Due(799)+50*time.Millisecond, took, "it ends with the last answer")
}

// G1: a sender that stalls must not make the service look good.
func TestOpenLoopStall(t *testing.T) {
	load := OpenLoop{Rate: 200, Duration: 1500 * time.Millisecond, Patience: time.Second}
	load.OnSend = func(i int) {
		if i == 100 {
			time.Sleep(500 * time.Millisecond)
		}
	}
	s, _ := run(t, load, answer(5*time.Millisecond))
	assert.Equal(t, 300, s.OK)
	assert.InDelta(t, 500, float64(s.P99), 15)
	assert.EqualValues(t, 500, s.LateMax)
	assert.InDelta(t, 100, s.Late, 3)
	assert.Greater(t, s.LateP99, ToMillis(s.LateBound()), "and the run cannot tell")
}

// G2: exactly as many as asked, however often the sender stalls.
func TestOpenLoopCatchesUp(t *testing.T) {
	for _, rate := range []float64{1000, 5000} {
		var served atomic.Int64
		load := OpenLoop{Rate: rate, Duration: 2 * time.Second, Patience: time.Second}
		load.OnSend = func(i int) {
			if i%500 == 499 {
				time.Sleep(20 * time.Millisecond)
			}
		}
		s, _ := run(t, load, func(context.Context) error { served.Add(1); return nil })
		assert.EqualValues(t, rate*2, served.Load())
		assert.EqualValues(t, rate*2, s.OK)
		assert.InDelta(t, rate, s.SentRate, rate/100)
	}
}

// G6
func TestOpenLoopPatience(t *testing.T) {
	load := OpenLoop{Rate: 10, Duration: 2 * time.Second, Patience: 5 * time.Second}
	s, _ := run(t, load, answer(3*time.Second))
	assert.Equal(t, 20, s.OK)

	load.Patience = time.Second
	s, took := run(t, load, answer(3*time.Second))
	assert.Equal(t, 20, s.Timeout)
	assert.Equal(t, 3*time.Second, took, "duration + patience")
}

func TestOpenLoopInterrupted(t *testing.T) {
	for _, patience := range []time.Duration{time.Second, 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 1050*time.Millisecond)
			defer cancel()
			load := OpenLoop{Rate: 10, Duration: 2 * time.Second, Patience: patience}
			start := time.Now()
			samples, err := load.Run(ctx, answer(3*time.Second))
			require.NoError(t, err)
			s := Summarize("test", load, 0, samples)
			assert.Equal(t, 11, s.OK+s.Timeout, "the sent are waited for")
			assert.Equal(t, 9, s.NotSent)
			assert.Equal(t, patience > 3*time.Second, s.OK == 11)
			assert.LessOrEqual(t, time.Since(start), 1050*time.Millisecond+patience)
			assert.False(t, s.Complete())
		})
	}
}

// An answer counts only if it comes before the patience is over, by due time.
func TestOpenLoopAnswerInTheLastInstant(t *testing.T) {
	load := OpenLoop{Rate: 1, Duration: time.Second, Patience: time.Second}
	for d, want := range map[time.Duration]Outcome{time.Second - 1: OK, time.Second: Timeout, time.Second + 1: Timeout} {
		s, _ := run(t, load, answer(d))
		assert.Equal(t, want, s.samples[0].Outcome, d)
	}
}

func TestOpenLoopOutcomes(t *testing.T) {
	var i atomic.Int64
	load := OpenLoop{Rate: 4, Duration: time.Second, Patience: time.Second}
	s, _ := run(t, load, func(ctx context.Context) error {
		switch i.Add(1) {
		case 1:
			return nil
		case 2:
			return &Overloaded{Reason: LineFull}
		case 3:
			return errors.New("broken")
		}
		<-ctx.Done()
		return ctx.Err()
	})
	assert.Equal(t, []Outcome{OK, Shed, Failed, Timeout},
		[]Outcome{s.samples[0].Outcome, s.samples[1].Outcome, s.samples[2].Outcome, s.samples[3].Outcome})
}

// G7: the refused are quick, and must not make the served look so.
func TestOpenLoopRefusalsApart(t *testing.T) {
	var i atomic.Int64
	load := OpenLoop{Rate: 10, Duration: 10 * time.Second, Patience: time.Second}
	s, _ := run(t, load, func(ctx context.Context) error {
		if i.Add(1)%10 < 7 {
			time.Sleep(time.Millisecond)
			return &Overloaded{Reason: LineFull}
		}
		return PretendWork(ctx, 200*time.Millisecond)
	})
	assert.Equal(t, 30, s.OK)
	assert.Equal(t, 70, s.Shed)
	assert.EqualValues(t, 200, s.P50)
	assert.EqualValues(t, 1, s.ShedP99)
}

// By default a client that gives up leaves its request running; with HangUp it
// takes it along.
func TestOpenLoopHangUp(t *testing.T) {
	for _, hangUp := range []bool{false, true} {
		var finished atomic.Int64
		load := OpenLoop{Rate: 1, Duration: 10 * time.Second, Patience: time.Second, HangUp: hangUp}
		s, _ := run(t, load, func(ctx context.Context) error {
			err := PretendWork(ctx, 1500*time.Millisecond)
			if err == nil {
				finished.Add(1)
			}
			return err
		})
		assert.Equal(t, 10, s.Timeout)
		assert.EqualValues(t, s.Wasted, finished.Load())
		assert.Equal(t, map[bool]int{false: 10, true: 0}[hangUp], s.Wasted)
	}
}

// 100,000 clients that wait in line at once, at what the comment on maxRequests
// says they cost.
func TestOpenLoopManyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 100_000
		c, err := NewController(Limits{Slots: 1, MaxWaiting: NoLimit, MaxWait: NoLimit})
		require.NoError(t, err)
		before := memory()
		var perClient uint64
		time.AfterFunc(1500*time.Millisecond, func() {
			assert.Equal(t, n-1, c.Stats().Waiting)
			perClient = (memory() - before) / n
		})
		load := OpenLoop{Rate: n, Duration: time.Second, Patience: time.Second}
		samples, err := load.Run(t.Context(), func(ctx context.Context) error {
			return c.Do(ctx, func() error { return PretendWork(ctx, time.Minute) })
		})
		require.NoError(t, err)
		assert.Equal(t, n, Summarize("test", load, 0, samples).Timeout)
		t.Logf("%d bytes for each waiting client", perClient)
		assert.Less(t, perClient, uint64(6000))
	})
}

// memory is what is in use, in bytes.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// A request that was sent has been sent, also if its send never returned.
func TestOpenLoopGoexit(t *testing.T) {
	s, _ := run(t, OpenLoop{Rate: 10, Duration: time.Second, Patience: time.Second}, func(context.Context) error {
		runtime.Goexit()
		return nil
	})
	assert.Equal(t, 10, s.Failed)
	assert.True(t, s.Complete())
}
