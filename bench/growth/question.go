// Package growth measures how the time and the memory of a trial in virtual time
// grow with the number of its requests.
package growth

import "example.com/sheddinglab/bench/question"

// The peers are sizes: numbers of requests. In Protected the line is bounded. In
// Unlimited half of the requests wait at once, each with a goroutine of its own.
var Question = question.Question{
	Name:      "growth",
	Ask:       "do the time and the memory of a trial in virtual time grow in step with its requests?",
	Benchtime: "1x",
	Rounds:    1,
	Units:     []string{"us/request", "s", "MB", "B/waiting"},
	Base:      "10000",
	Targets: []question.Target{
		{Scenario: "Protected", Peer: "1000000", Over: "10000", Unit: "us/request", AtMost: 1.5},
		{Scenario: "Unlimited", Peer: "100000", Over: "10000", Unit: "us/request", AtMost: 1.5},
		{Scenario: "Unlimited", Peer: "100000", Over: "10000", Unit: "B/waiting", AtMost: 1.2},
	},
}
