package lab

import (
	"fmt"
	"math"
	"time"
)

// An Adaptation says how a limit finds itself. A Tolerance of 1.25, a Round of 4 and a
// Probe of some seconds up to a minute are a good start. The zero value is not usable.
type Adaptation struct {
	Min, Max  int           // the limit stays between them; Min is at least 1
	Tolerance float64       // how much longer than alone work may take, above 1
	Round     float64       // from one change to the next, in multiples of the time alone, above 0
	Probe     time.Duration // how often the time alone is measured anew, above 0
}

func (a Adaptation) validate() error {
	switch {
	case a.Min < 1:
		return fmt.Errorf("adaptation: Min is %d, want at least 1", a.Min)
	case a.Max < a.Min:
		return fmt.Errorf("adaptation: Max is %d, want at least Min, which is %d", a.Max, a.Min)
	case !(a.Tolerance > 1) || math.IsInf(a.Tolerance, 0):
		return fmt.Errorf("adaptation: Tolerance is %v, want a finite number above 1", a.Tolerance)
	case !(a.Round > 0) || math.IsInf(a.Round, 0):
		return fmt.Errorf("adaptation: Round is %v, want a finite number above 0", a.Round)
	case a.Probe <= 0:
		return fmt.Errorf("adaptation: Probe is %v, want more than 0s", a.Probe)
	}
	return nil
}

// A Gradient computes a limit from how long work takes. After each round it compares
// the mean of the round with the time that work takes alone, when nothing is in its way:
//
//	gradient = Tolerance × alone / mean, from 0.5 to 2
//	limit    = gradient × limit + √limit
//
// Work that takes as long as alone lets the limit grow, and work that takes longer
// lets it shrink. The square root keeps a few more at work than there seems to be room
// for; without it the limit would only ever fall, down to Min.
//
// The time alone is not configured but measured, at first and every Probe: the limit
// is then Min until a few pieces of work have ended, unless as few were at work anyway.
// Otherwise a service that has become slower for good would look crowded for ever.
//
// This is the gradient controller of Envoy's adaptive concurrency filter
// (https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/adaptive_concurrency_filter),
// whose bounds and square root these are. Two things are other: a round is a multiple
// of the time alone and no fixed time, so that it fits quick and slow work; and the time
// alone is measured early if it cannot be right.
//
// Make one with [NewGradient]. It has no clock of its own. Not safe for concurrent use.
type Gradient struct {
	a     Adaptation
	limit float64

	alone   time.Duration // 0 until it is known
	quiet   mean          // of work during which at most Min were at work
	probing bool
	probeAt time.Time

	begun, crowd int // the last work that began, and the last one that made more than Min

	round    mean
	failed   int  // of the work in round
	reached  bool // the limit, in this round
	roundEnd time.Time
	steepest int // rounds in a row with the lowest gradient
}

const (
	probeSize   = 8 // pieces of work that measure the time alone
	lowest      = 0.5
	highest     = 2
	maxSteepest = 3 // a limit that was halved three times for nothing: it is not the crowd
)

// NewGradient returns a Gradient that begins with limit, or the nearest it may be,
// after it has measured the time alone. Its errors name the setting at fault.
func NewGradient(limit int, a Adaptation) (*Gradient, error) {
	if err := a.validate(); err != nil {
		return nil, err
	}
	return &Gradient{a: a, limit: float64(min(max(limit, a.Min), a.Max)), probing: true}, nil
}

// Limit is the limit in force: Min while the time alone is measured.
func (g *Gradient) Limit() int {
	if g.probing {
		return g.a.Min
	}
	return int(g.limit)
}

// Probing reports whether the time alone is being measured.
func (g *Gradient) Probing() bool { return g.probing }

// Alone is the time that work takes alone, or 0 until that is known.
func (g *Gradient) Alone() time.Duration { return g.alone }

// Begin says that work begins, with which running are at work. It returns the number of
// the work, for End.
func (g *Gradient) Begin(running int) (number int) {
	g.begun++
	if running > g.a.Min {
		g.crowd = g.begun
	}
	g.reached = g.reached || running >= g.Limit()
	return g.begun
}

// End says that the work with that number has ended at now, after took, and changes the
// limit if it is time for that. Work that failed sooner than it takes alone does not
// count: it says nothing about how long work takes, and a refusal by whatever is behind
// this service would look like a fast answer. Work that failed later, such as by a
// timeout, would have taken longer still: if most of a round did, the gradient is the
// lowest.
func (g *Gradient) End(now time.Time, took time.Duration, number int, failed bool) {
	took = max(took, 1) // in virtual time work may take none
	if failed && (g.alone == 0 || took < g.alone) {
		return
	}
	if number > g.crowd && !failed { // there were never more than Min meanwhile
		g.quiet.add(took)
	}
	if g.quiet.n == probeSize {
		g.measured(now)
		return
	}
	if g.probing {
		return
	}
	g.round.add(took)
	if failed {
		g.failed++
	}
	if now.Before(g.roundEnd) {
		return
	}
	if g.reached { // a limit that nobody reached has not been tried
		g.change()
	}
	if g.steepest == maxSteepest || !now.Before(g.probeAt) {
		g.probing, g.quiet = true, mean{}
	}
	g.begin(now)
}

// measured takes over the time alone.
func (g *Gradient) measured(now time.Time) {
	g.alone, g.quiet = g.quiet.value(), mean{}
	g.probeAt, g.steepest = now.Add(g.a.Probe), 0
	if g.probing {
		g.probing = false
		g.begin(now)
	}
}

// change computes the limit.
func (g *Gradient) change() {
	took := g.round.value()
	gradient := min(max(g.a.Tolerance*float64(g.alone)/float64(took), lowest), highest)
	if 2*g.failed > g.round.n {
		gradient = lowest
	}
	limit := gradient*g.limit + math.Sqrt(g.limit)
	g.limit = min(max(limit, float64(g.a.Min)), float64(g.a.Max))

	g.steepest++
	if gradient > lowest {
		g.steepest = 0
	}
	if took < g.alone { // nothing is faster than alone
		g.probeAt = time.Time{}
	}
}

// begin begins a round.
func (g *Gradient) begin(now time.Time) {
	g.round, g.failed, g.reached = mean{}, 0, false
	g.roundEnd = now.Add(Seconds(g.a.Round * g.alone.Seconds()))
}

// A mean is that of some durations.
type mean struct {
	sum time.Duration
	n   int
}

func (m *mean) add(d time.Duration) { m.sum += d; m.n++ }

func (m mean) value() time.Duration { return m.sum / time.Duration(m.n) }
