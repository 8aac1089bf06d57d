// Package question says what a question of the benchmarks is: which package
// answers it, how often that is run, and which answers are hoped for.
package question

// A Question is answered by the benchmarks of one test package. Their names are
// BenchmarkSCENARIO/peer=PEER.
type Question struct {
	Name      string // of the directory in bench/
	Ask       string // the question, in one line
	Benchtime string // of one benchmark in one round, as the flag -benchtime has it
	Rounds    int
	Units     []string // the columns of the table; the ratio is of the first
	Base      string   // the peer that is 1.00; the first one in a scenario without it
	Targets   []Target
}

// A Target is a bound on a measured value, on a ratio of two, or on a difference.
type Target struct {
	Scenario string
	Peer     string
	Over     string // the peer to divide by, if any
	Minus    string // the peer to subtract, if any
	Unit     string

	// The bound is AtLeast if that is not 0, and otherwise AtMost.
	AtMost, AtLeast float64
}
