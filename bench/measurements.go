package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// measurements are the values of the benchmarks, one per round.
type measurements struct {
	rounds     int
	benchmarks []benchmark // in the order they were run
	values     map[benchmark]map[string][]float64
}

// A benchmark is one peer in one scenario.
type benchmark struct{ scenario, peer string }

func newMeasurements() *measurements {
	return &measurements{values: make(map[benchmark]map[string][]float64)}
}

// add reads the lines of one round. It is an error if a benchmark is not in every
// round: a ratio is of two values of the same round.
func (m *measurements) add(round io.Reader) error {
	m.rounds++
	lines := benchfmt.NewReader(round, "round")
	for lines.Scan() {
		switch line := lines.Result().(type) {
		case *benchfmt.Result:
			b, err := parseName(line.Name)
			if err != nil {
				return err
			}
			if m.values[b] == nil {
				m.benchmarks = append(m.benchmarks, b)
				m.values[b] = make(map[string][]float64)
			}
			for _, v := range line.Values {
				unit, value := v.Unit, v.Value
				if v.OrigUnit != "" { // ns/op was made sec/op
					unit, value = v.OrigUnit, v.OrigValue
				}
				m.values[b][unit] = append(m.values[b][unit], value)
			}
		case *benchfmt.SyntaxError:
			return line
		}
	}
	if len(m.benchmarks) == 0 {
		return errors.Join(lines.Err(), errors.New("no benchmark was run"))
	}
	for _, b := range m.benchmarks {
		for unit, values := range m.values[b] {
			if len(values) != m.rounds {
				return fmt.Errorf("%s of %s has %d values %s in %d rounds, want one in each", b.peer, b.scenario, len(values), unit, m.rounds)
			}
		}
	}
	return lines.Err()
}

// parseName takes a name such as Admit/peer=lab-2 apart.
func parseName(name benchfmt.Name) (benchmark, error) {
	base, parts := name.Parts()
	b := benchmark{scenario: string(base)}
	for _, part := range parts {
		if peer, ok := strings.CutPrefix(string(part), "/peer="); ok {
			b.peer = peer
			return b, nil
		}
	}
	return b, fmt.Errorf("the benchmark %s has no peer in its name, want %s/peer=PEER", name, base)
}

// base is the peer of a scenario that is 1.00.
func (m *measurements) base(scenario, wanted string) string {
	first := ""
	for _, b := range m.benchmarks {
		if b.scenario != scenario {
			continue
		}
		if b.peer == wanted {
			return wanted
		}
		if first == "" {
			first = b.peer
		}
	}
	return first
}

// of returns the values of b, one per round, or nil.
func (m *measurements) of(b benchmark, unit string) []float64 { return m.values[b][unit] }

// byRound combines two peers round by round: what disturbs a round disturbs both.
func byRound(a, b []float64, combine func(a, b float64) float64) []float64 {
	if len(a) != len(b) {
		return nil
	}
	both := make([]float64, len(a))
	for i := range a {
		both[i] = combine(a[i], b[i])
	}
	return both
}

func divide(a, b float64) float64   { return a / b }
func subtract(a, b float64) float64 { return a - b }

// median is NaN if there are no values.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// spread is how far the middle half of the values lies apart, as a share of their
// median.
func spread(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[n-1-n/4] - sorted[n/4]) / median(values)
}
