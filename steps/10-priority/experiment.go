package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"example.com/sheddinglab/lab"
)

// An experiment is one service and a crowd whose requests are of two classes.
type experiment struct {
	policy      string
	limits      lab.Limits
	shares      lab.Shares
	serviceTime time.Duration
	load        lab.OpenLoop
	warmUp      time.Duration
	critical    float64 // of all requests, between 0 and 1
	seed        uint64
}

// classOf is the class of request i. It is drawn at random: clients take no turns,
// and a fixed order could keep step with the slots, so that one class always comes
// just when one is free.
func (e experiment) classOf(i int) lab.Criticality {
	if lab.Seeded(e.seed, uint64(i))() < e.critical {
		return lab.Critical
	}
	return lab.Sheddable
}

// A row is what became of the requests of one class, or of all.
type row struct {
	lab.Summary
	Class         string  `json:"class"`
	Served        float64 `json:"steady_served_percent"`
	LineFull      int     `json:"shed_line_full"`
	WaitedTooLong int     `json:"shed_waited_too_long"`
}

// An outcome has a row for each class and one for all.
type outcome struct{ critical, sheddable, all row }

func (e experiment) run(ctx context.Context) (outcome, error) {
	p, err := lab.NewPriorityController(e.limits, e.shares)
	if err != nil {
		return outcome{}, lab.Usage(err)
	}
	var asked, took atomic.Int64 // nanoseconds of work
	samples, err := e.load.RunEach(ctx, func(ctx context.Context, i int) error {
		return p.Do(lab.WithCriticality(ctx, e.classOf(i)), func() error {
			begin := time.Now()
			if err := lab.PretendWork(ctx, e.serviceTime); err != nil {
				return err // nobody is left
			}
			asked.Add(int64(e.serviceTime))
			took.Add(int64(time.Since(begin)))
			return nil
		})
	})
	if err != nil {
		return outcome{}, lab.Usage(err) // a bad load
	}
	of := map[lab.Criticality][]lab.Sample{}
	for i, s := range samples {
		of[e.classOf(i)] = append(of[e.classOf(i)], s)
	}
	total, classes := p.Stats(), p.Classes()
	count := func(class string, samples []lab.Sample, counted lab.ClassStats) row {
		load := e.load
		load.Rate = float64(len(samples)) / load.Duration.Seconds()
		s := lab.Summarize(e.policy, load, e.warmUp, samples)
		s.PeakLine = total.PeakLine
		s.WorkSlower = float64(took.Load()-asked.Load()) / float64(max(1, asked.Load()))
		arrived, ok := s.Between(e.warmUp, e.load.Duration)
		return row{s, class, 100 * float64(ok) / float64(max(1, arrived)), counted.ShedLineFull, counted.ShedWaitedTooLong}
	}
	o := outcome{
		critical:  count("critical", of[lab.Critical], classes[lab.Critical]),
		sheddable: count("sheddable", of[lab.Sheddable], classes[lab.Sheddable]),
		all:       count("all", samples, lab.ClassStats{ShedLineFull: total.ShedLineFull, ShedWaitedTooLong: total.ShedWaitedTooLong}),
	}
	if total.Arrived+o.all.NotSent != o.all.Offered || total.Running+total.Waiting != 0 || o.all.Shed != total.ShedLineFull+total.ShedWaitedTooLong {
		return o, fmt.Errorf("%q: the sums do not add up: the clients count %+v, the controller %+v", e.policy, o.all, total)
	}
	return o, nil
}

func table(outcomes []outcome) string {
	rows := [][]string{{"policy", "class", "offered", "ok", "shed", "served %*", "goodput/s*", "p99 ms"}}
	for _, o := range outcomes {
		for _, r := range []row{o.critical, o.sheddable, o.all} {
			rows = append(rows, []string{r.Policy, r.Class, fmt.Sprint(r.Offered), fmt.Sprint(r.OK), fmt.Sprint(r.Shed),
				fmt.Sprintf("%.1f", r.Served), fmt.Sprintf("%.1f", r.Steady), r.P99.String()})
		}
	}
	return lab.Table(rows) + "* of the requests due after the warm-up\n"
}
