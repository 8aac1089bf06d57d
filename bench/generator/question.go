// Package generator measures [lab.OpenLoop] beside vegeta and a loop that sleeps:
// what they really send, how late, and at what cost.
package generator

import (
	"fmt"

	"example.com/sheddinglab/bench/question"
)

var rates = []int{100, 1000, 5000, 10000, 20000} // requests per second

var Question = question.Question{
	Name:      "generator",
	Ask:       "is the load sent as asked, how late, and at what cost?",
	Benchtime: "1x",
	Rounds:    1,
	Units:     []string{"p99-ms", "p50-ms", "max-ms", "sent-%", "cpu-s", "MB", "held"},
	Base:      "vegeta",
	Targets:   targets(),
}

// resolution is how much one p99 differs from the next without a reason: sleeps end
// up to 1 ms late, and at 100/s it is the second highest of 200 values.
const resolution = 0.25 // ms

func targets() []question.Target {
	var all []question.Target
	for _, where := range []string{"Call", "HTTP"} {
		for _, rate := range rates {
			scenario := fmt.Sprint(where, rate)
			all = append(all,
				question.Target{Scenario: scenario, Peer: "lab", Unit: "p99-ms", Minus: "vegeta", AtMost: resolution},
				question.Target{Scenario: scenario, Peer: "lab", Unit: "sent-%", AtLeast: 100})
		}
		// A machine may be too small for the last one. Then the run must say so.
		highest := fmt.Sprint(where, rates[len(rates)-1])
		all = append(all, question.Target{Scenario: highest, Peer: "lab", Unit: "unmarked", AtMost: 0})
	}
	return all
}
