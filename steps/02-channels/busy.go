package main

import "example.com/sheddinglab/lab"

// doubtSlowWork says that the machine was too busy: the work of one of the consumers
// took much longer than asked, or longer than that of another, by these shares.
func doubtSlowWork(step *lab.Step, slowest, quickest float64) {
	if slowest > 0.1 || slowest-quickest > 0.03 {
		step.Busy("the work took %.0f%% to %.0f%% longer than asked, want at most 10%% and within 3 points",
			100*quickest, 100*slowest)
	}
}
