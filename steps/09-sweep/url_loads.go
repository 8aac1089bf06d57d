package main

import (
	"context"
	"math"
	"slices"
	"time"

	"example.com/sheddinglab/lab"
)

// sendAll sends the loads in their order. A load above one that is known to be too
// much for the service is left out, unless -go-on says otherwise. It ends when ctx
// does, or when the service does not finish with a load.
func (s *urlSweep) sendAll(ctx context.Context, capacity float64) (rows []urlRow, leftOut int, err error) {
	knee := 0.0 // the lowest rate whose goodput fell; 0 = none yet
	for _, rate := range s.allowed(capacity) {
		if knee > 0 && rate > knee && !*s.goOn {
			leftOut++
			continue
		}
		if !s.drained(ctx) {
			if ctx.Err() == nil {
				s.step.Doubt("the service was not back at its unloaded latency of %.0f ms %v after the last load: "+
					"the next one would have measured the rest of it (-drain)", float64(lab.ToMillis(s.unloaded)), *s.drain)
			}
			break
		}
		r, err := s.send(ctx, rate, rate/capacity)
		if err != nil {
			return nil, 0, err
		}
		if r.Offered == r.NotSent {
			break // cut short in the warm-up
		}
		s.step.Examine(r.Summary)
		rows = append(rows, r)
		if ctx.Err() != nil {
			break
		}
		if r.point().Falls(capacity) && (knee == 0 || rate < knee) {
			knee = rate
		}
	}
	return rows, leftOut, nil
}

// allowed returns the rates that may be sent. Of multiples of a measured capacity
// it was not known before whether they may.
func (s *urlSweep) allowed(capacity float64) []float64 {
	rates := slices.Clone(s.rates)
	for _, x := range s.multiples {
		rates = append(rates, x*capacity)
	}
	least, reason := math.Inf(1), error(nil)
	rates = slices.DeleteFunc(rates, func(rate float64) bool {
		err := s.tooMuch(rate, s.idle)
		if err != nil && rate < least {
			least, reason = rate, err
		}
		return err != nil
	})
	if reason != nil {
		s.step.Printf("Left out, with all that is more: %v.", reason)
	}
	return rates
}

// send sends one load.
func (s *urlSweep) send(ctx context.Context, rate, multiple float64) (urlRow, error) {
	load, target := s.load(rate), s.target()
	stopProgress := s.step.Progress(load.Duration)
	samples, err := load.Run(ctx, target.Send)
	stopProgress()
	if err != nil {
		return urlRow{}, lab.Usage(err)
	}
	r := newURLRow(load, *s.warmUp, samples)
	r.Rate, r.Multiple, r.Refusal = rate, multiple, target.FirstRefusal()
	r.Policy = r.load()
	p50 := time.Duration(float64(r.P50) * float64(time.Millisecond))
	if r.OK > 0 && (s.unloaded == 0 || p50 < s.unloaded) {
		s.unloaded = p50 // the single requests may have met a cold service
	}
	return r, nil
}

// newURLRow counts what is due after the warm-up.
func newURLRow(load lab.OpenLoop, warmUp time.Duration, samples []lab.Sample) urlRow {
	var counted []lab.Sample
	for _, x := range samples {
		if x.Due >= warmUp {
			x.Due -= warmUp
			counted = append(counted, x)
		}
	}
	load.Duration -= warmUp
	return urlRow{Summary: lab.Summarize("", load, 0, counted), Failures: lab.CountFailures(counted)}
}
