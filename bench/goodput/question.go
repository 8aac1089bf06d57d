// Package goodput measures how much of its goodput a service keeps far beyond its
// capacity, behind [lab.Protect] and behind what others put in its place.
package goodput

import "example.com/sheddinglab/bench/question"

// The plateau is the goodput at 4 times the capacity, where the line is always full
// and the processors are idle. The other columns are shares of it, and at 64 times
// the capacity also how late the sends were, at p99, and the processor time of the
// server, in percent of one processor.
var Question = question.Question{
	Name:      "goodput",
	Ask:       "over HTTP, how much of the goodput at 4 times the capacity is left far beyond it?",
	Benchtime: "1x",
	Rounds:    1,
	Units:     []string{"4x/s", "1x-%", "16x-%", "64x-%", "late-ms", "cpu-%", "held"},
	Base:      "lab",
	Targets: []question.Target{
		{Scenario: "Goodput", Peer: "lab", Unit: "1x-%", AtLeast: 98},
		{Scenario: "Goodput", Peer: "lab", Unit: "16x-%", AtLeast: 98},
		{Scenario: "Goodput", Peer: "lab", Unit: "64x-%", AtLeast: 90},
		{Scenario: "Goodput", Peer: "lab", Unit: "held", AtLeast: 1},
	},
}
