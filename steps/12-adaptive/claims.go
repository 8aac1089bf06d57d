package main

import (
	"fmt"
	"math"

	"example.com/sheddinglab/lab"
)

// claim holds the limits that find themselves against the fixed ones.
func (d *day) claim(step *lab.Step, fixed, adaptive []row, hasty row) {
	best, bestAfter := 0, 0.0
	for i, r := range fixed {
		if r.Before > fixed[best].Before {
			best = i
		}
		bestAfter = max(bestAfter, r.After)
	}
	most, beside := fixed[best].Before, 0.0
	for _, i := range []int{best - 1, best + 1} {
		if i >= 0 && i < len(fixed) {
			beside = max(beside, fixed[i].Before)
		}
	}
	step.Add(fmt.Sprintf("fixed at half and twice %d, goodput", fixed[best].Slots), beside <= 0.9*most,
		percent(beside, most), "at most 90% of the best")
	for _, r := range adaptive {
		step.Add(fmt.Sprintf("%s, goodput from %v on", r.Policy, *d.settle), r.Before >= 0.9*most,
			percent(r.Before, most), "at least 90% of the best")
		step.Add(fmt.Sprintf("%s, goodput from %v after the slowdown on", r.Policy, *d.settle), r.After >= 0.9*bestAfter,
			percent(r.After, bestAfter), "at least 90%")
	}
	least, highest := min(adaptive[0].Lowest, adaptive[1].Lowest), max(adaptive[0].Highest, adaptive[1].Highest)
	step.Add("lowest limit then, but for the probes", 2*least >= fixed[best].Slots, fmt.Sprint(least), "at least half of the best")
	step.Add("swing of the limit then, highest / lowest", highest <= 2*least, swing(least, highest), "at most 2")
	step.Add(fmt.Sprintf("swing with rounds of %g", *d.hastyRound), hasty.Highest > 2*hasty.Lowest,
		swing(hasty.Lowest, hasty.Highest), "more than 2")
	step.KeyFigure("the best fixed limit is %d; one that finds itself serves %s of that", fixed[best].Slots,
		percent(min(adaptive[0].After, adaptive[1].After), bestAfter))
}

// doubt says where the flags ask for something that the claims are not about.
func (d *day) doubt(step *lab.Step) {
	busy := 2 * *d.serviceTime // what work takes at the best limit
	for _, s := range []span{d.before(), d.after()} {
		if s.to-s.from < 10*busy {
			step.Doubt("the claims are about steady times: from %v to %v, want at least %v", s.from, s.to, 10*busy)
		}
	}
	if *d.settle < 15*busy || *d.probe < 40*busy {
		step.Doubt("-settle is %v and -probe %v, want at least 30 and 80 times the service time", *d.settle, *d.probe)
	}
	if *d.multiple < 1.5 || *d.slowFactor > 1 && *d.slowFactor < 3 {
		step.Doubt("the claims are about an overload of 1.5 times or more, and a -slow-factor of 3 or more, or of 1")
	}
	if share := *d.knee / float64(*d.most); *d.knee < 4 || math.Abs(share-0.25) > 0.03 && math.Abs(share-0.5) > 0.06 {
		step.Doubt("the claims are about a -knee that is a quarter or half of -max, and at least 4")
	}
	if *d.maxWait+2*busy > *d.patience {
		step.Doubt("the clients' patience is %v, want at least %v to wait and to be served", *d.patience, *d.maxWait+2*busy)
	}
}
