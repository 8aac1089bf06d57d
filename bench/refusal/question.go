// Package refusal asks what a refusal costs over HTTP, beside a handler that does
// nothing but write the same bytes.
package refusal

import "example.com/sheddinglab/bench/question"

// Question is the question of this package.
var Question = question.Question{
	Name:      "refusal",
	Ask:       "how many refusals per second over HTTP, beside a handler that does nothing else?",
	Benchtime: "1x", // a second of load
	Rounds:    7,
	Units:     []string{"req/s", "cpu-us/req"},
	Base:      "bare",
	Targets: []question.Target{
		{Scenario: "Hey", Peer: "lab", Over: "bare", Unit: "req/s", AtLeast: 0.97},
		{Scenario: "Wrk", Peer: "lab", Over: "bare", Unit: "req/s", AtLeast: 0.97},
	},
}
