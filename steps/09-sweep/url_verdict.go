package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/sheddinglab/lab"
)

// swept is what a sweep has to show.
type swept struct {
	capacity float64
	how      string // it came to be known
	rows     []urlRow
	leftOut  int  // loads above the knee
	complete bool // nobody cut it short
}

// conclude says in words what the sweep shows, and returns what to try next. Rows
// that were cut short say nothing.
func conclude(step *lab.Step, s swept) string {
	s.rows = slices.DeleteFunc(slices.Clone(s.rows), func(r urlRow) bool { return !r.Complete() })
	if s.capacity > 0 {
		step.Find("capacity", fmt.Sprintf("%.1f/s, %s", s.capacity, s.how))
	}
	if len(s.rows) == 0 {
		if s.complete {
			step.Doubt("no load was sent")
		}
		return ""
	}
	t := s.total()
	shape, knee := lab.FindKnee(s.capacity, s.points())
	if s.capacity > 0 {
		step.Find("goodput", s.describe(shape, knee))
	}
	step.Find("refusals", t.refusals())
	step.Find("p99 of the answered", s.p99s())
	if t.failed > 0 {
		step.Find("errors", t.Failures.String())
	}

	if !s.complete {
		return ""
	}
	if own := t.Own(); own > 0 {
		step.Doubt("%d of the requests failed on this side, for want of a port or a file: that is no fault of the service", own)
	}
	switch {
	case t.ok == 0 && t.shed == 0 && t.timeout == 0:
		step.Doubt("there was no answer at all")
	case t.ok == 0 && t.failed == 0 && t.timeout == 0:
		step.Doubt("everybody was refused, at the lowest load too: either it serves nobody, or others keep it busy")
	case t.ok == 0:
		step.Doubt("nobody was answered in time")
	case shape == lab.Untested:
		step.Doubt("no load was clearly above the capacity, so there was no overload to see")
	case shape == lab.Storing:
		step.Doubt("more was answered than the capacity of %.1f/s: either that is too low, or a line was still growing "+
			"when the load ended; a longer -duration tells which", s.capacity)
	}
	return advice(shape, t)
}

func (s swept) points() []lab.Point {
	var points []lab.Point
	for _, r := range s.rows {
		points = append(points, r.point())
	}
	return points
}

// describe says what becomes of the goodput.
func (s swept) describe(shape lab.Shape, knee lab.Point) string {
	least, largest := knee, s.rows[0]
	for _, r := range s.rows {
		if r.Rate > knee.Offered && r.Goodput < least.Goodput {
			least = r.point()
		}
		if r.Rate > largest.Rate {
			largest = r
		}
	}
	fall := fmt.Sprintf("at %.1f/s, %.3g times the capacity, it falls to %.1f/s", knee.Offered, knee.Offered/s.capacity, knee.Goodput)
	if least.Goodput < 0.95*knee.Goodput {
		fall += fmt.Sprintf(", and at %.1f/s to %.1f/s", least.Offered, least.Goodput)
	}
	rest := ""
	if slices.ContainsFunc(s.points(), func(p lab.Point) bool { return p.Stores(s.capacity) }) {
		rest += "; with less than that, a line was still growing when the load ended"
	}
	if s.leftOut > 0 {
		rest += fmt.Sprintf("; larger loads left out without -go-on: %d", s.leftOut)
	}
	switch shape {
	case lab.Cliff:
		return fall + ": a cliff" + rest
	case lab.Slope:
		return fall + ": a slope" + rest
	case lab.TooLow:
		return fmt.Sprintf("of %.1f/s, which is below the capacity, only %.1f/s are answered in time", knee.Offered, knee.Goodput) + rest
	case lab.Plateau:
		return fmt.Sprintf("it stays near the capacity up to %.1f/s, %.3g times as much: a plateau", largest.Rate, largest.Multiple)
	case lab.Storing:
		return fmt.Sprintf("up to %.1f/s, above the capacity", s.highest())
	}
	return fmt.Sprintf("it keeps up with the loads, up to %.1f/s", largest.Rate)
}

func (s swept) highest() float64 {
	return slices.MaxFunc(s.rows, func(a, b urlRow) int { return cmp.Compare(a.Goodput, b.Goodput) }).Goodput
}

func (s swept) p99s() string {
	var p99s, loads []string
	for _, r := range s.rows {
		p99s, loads = append(p99s, r.P99.String()), append(loads, r.Policy)
	}
	return fmt.Sprintf("%s ms at %s", strings.Join(p99s, ", "), strings.Join(loads, ", "))
}

// totals are the counts of all rows together.
type totals struct {
	ok, shed, timeout, failed int
	lab.Failures
	refusal *lab.Refusal // the first one
}

func (s swept) total() totals {
	t := totals{Failures: lab.CountFailures(nil)}
	for _, r := range s.rows {
		t.ok, t.shed, t.timeout, t.failed = t.ok+r.OK, t.shed+r.Shed, t.timeout+r.Timeout, t.failed+r.Failed
		t.Add(r.Failures)
		if t.refusal == nil {
			t.refusal = r.Refusal
		}
	}
	return t
}

func (t totals) refusals() string {
	var say string
	switch {
	case t.shed == 0:
		return "none seen"
	case t.WithRetryAfter == t.shed:
		say = fmt.Sprintf("all %d say when to come back (Retry-After)", t.shed)
	case t.WithRetryAfter == 0:
		say = fmt.Sprintf("none of %d says when to come back (Retry-After)", t.shed)
	default:
		say = fmt.Sprintf("%d of %d say when to come back (Retry-After)", t.WithRetryAfter, t.shed)
	}
	if t.refusal != nil {
		say += fmt.Sprintf("; the first was a %d, Retry-After %q", t.refusal.Status, t.refusal.RetryAfter)
	}
	return say
}

// advice is what to try next.
func advice(shape lab.Shape, t totals) string {
	fell := shape == lab.Cliff || shape == lab.Slope
	switch {
	case (fell || shape == lab.TooLow) && t.failed > t.timeout:
		return "find out what the errors are: they cost more answers than the waiting does"
	case fell && t.shed == 0:
		return "no refusals seen, so this service has an unbounded line: bound it, by count and by time, and refuse the rest; " +
			"see steps/04-bounded-line, steps/05-slowdown and lab.Protect"
	case fell && t.timeout > 0:
		return "it refuses some, and lets others wait until they give up: make the line shorter, or limit the wait; see steps/05-slowdown"
	case fell:
		return "those who are refused take from the others what an answer needs: refuse earlier, before the work begins"
	case shape == lab.TooLow:
		return "measure the capacity again, without -capacity, when nobody else keeps the service or this machine busy"
	case t.shed == 0:
		return "no refusals seen: clients learn of the overload only by waiting; refuse those who cannot be served in time, see steps/04-bounded-line"
	case t.WithRetryAfter < t.shed:
		return "say in every refusal when to come back (Retry-After), and see steps/07-retries for what clients make of it"
	}
	return "hold a load just above the capacity for longer, with -multiples 1.2 -duration 30s: a line that grows slowly shows only then"
}
