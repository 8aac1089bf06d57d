// Package decision asks what it costs to let a request in, to turn it away, and
// to let it wait.
package decision

import "example.com/sheddinglab/bench/question"

// Question is the question of this package.
var Question = question.Question{
	Name:      "decision",
	Ask:       "what does it cost to let a request in, turn it away, or let it wait?",
	Benchtime: "100ms",
	Rounds:    7,
	Units:     []string{"ns/op", "B/op", "allocs/op"},
	Base:      "channel",
	Targets: []question.Target{
		{Scenario: "Admit", Peer: "lab", Over: "channel", Unit: "ns/op", AtMost: 1.6},
		{Scenario: "Admit", Peer: "lab", Over: "failsafe", Unit: "ns/op", AtMost: 1},
		{Scenario: "Admit", Peer: "lab", Unit: "allocs/op", AtMost: 0},
		{Scenario: "Admit", Peer: "lab.Do", Minus: "lab", Unit: "ns/op", AtMost: 10},
		{Scenario: "Refuse", Peer: "lab", Unit: "ns/op", AtMost: 15},
		{Scenario: "Refuse", Peer: "lab", Unit: "allocs/op", AtMost: 0},
		{Scenario: "Refuse", Peer: "failsafe", Over: "lab", Unit: "ns/op", AtLeast: 3},
		{Scenario: "RefuseParallel", Peer: "lab", Unit: "ns/op", AtMost: 40},
		{Scenario: "HandlerAdmit", Peer: "lab", Over: "chi", Unit: "ns/op", AtMost: 0.6},
	},
}
