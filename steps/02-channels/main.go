// Step 2: what does a full channel do to the one who fills it?
//
// A producer makes items faster than a consumer can handle them, with three
// channels between them: one so large that it never fills, and two with a small
// capacity, where the producer either waits for room (backpressure) or drops the
// item (shedding). The consumer is no faster for any of them; what differs is
// where the surplus goes.
//
// This version has no controller, no clients and no patience. Those come next.
//
//	make step-2
//	go run ./steps/02-channels -buffer 50
package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

// unbounded is the capacity of a channel that never fills in this lab.
const unbounded = 1_000_000

// A pipe is a producer and a consumer with a channel between them.
type pipe struct {
	Name        string     `json:"channel"`
	Produced    int        `json:"produced"` // consumed, dropped or left
	Consumed    int        `json:"consumed"`
	Dropped     int        `json:"dropped"`
	Left        int        `json:"left"`
	LongestWait lab.Millis `json:"longest_wait_ms"` // from made to consumed, or to the end
	Length      []int      `json:"length"`          // of the channel, at the instants of lab.Watch

	WorkSlower float64 `json:"work_slower"` // than asked, by what share

	items chan time.Time // when each item was made
	drop  bool           // when full: drop the item instead of waiting
	took  time.Duration  // all of the work
}

// produce makes items by the schedule, until ctx ends.
func (p *pipe) produce(ctx context.Context, schedule lab.OpenLoop) {
	start := time.Now()
	for i := range schedule.Count() {
		if lab.PretendWork(ctx, time.Until(start.Add(schedule.Due(i)))) != nil {
			return
		}
		made := time.Now()
		if p.drop {
			select {
			case p.items <- made:
			default: // full: shed it
				p.Dropped++
			}
		} else {
			select {
			case p.items <- made: // full: wait for room
			case <-ctx.Done():
				return
			}
		}
		p.Produced++
	}
}

// consume handles items, work long each, until ctx ends.
func (p *pipe) consume(ctx context.Context, work time.Duration) {
	for ctx.Err() == nil {
		select {
		case made := <-p.items:
			p.waited(made)
			p.Consumed++
			begin := time.Now()
			if lab.PretendWork(ctx, work) == nil {
				p.took += time.Since(begin)
				p.WorkSlower = p.took.Seconds()/(work.Seconds()*float64(p.Consumed)) - 1
			}
		case <-ctx.Done():
		}
	}
}

// waited notes how long the item made at that instant has waited until now.
func (p *pipe) waited(made time.Time) {
	p.LongestWait = max(p.LongestWait, lab.ToMillis(time.Since(made)))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(2, "channels", "what does a full channel do to the one who fills it?")
	rate := step.Float("rate", 200, "items per second that the producer can make")
	work := step.Millis("work", 20*time.Millisecond, "how long the consumer needs for an item")
	buffer := step.Int("buffer", 10, "capacity of the two small channels")
	duration := step.Seconds("duration", 2*time.Second, "how long it goes on")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}

	// The endless channel makes an item wait as long as the consumer is behind.
	behind := lab.Seconds(duration.Seconds() * (1 - 1/(*rate*work.Seconds())))
	if behind < 60**work {
		step.Doubt("the claims are about a consumer that is at least 60 items behind at the end")
	}

	endless := &pipe{Name: "unbounded", items: make(chan time.Time, unbounded)}
	waits := &pipe{Name: fmt.Sprintf("%d, producer waits", *buffer), items: make(chan time.Time, *buffer)}
	drops := &pipe{Name: fmt.Sprintf("%d, producer drops", *buffer), items: make(chan time.Time, *buffer), drop: true}

	schedule := lab.OpenLoop{Rate: *rate, Duration: *duration}
	if schedule.Count() > unbounded {
		return lab.Usage(fmt.Errorf("-rate %g for %v is more than %d items, which is what the unbounded channel holds", *rate, *duration, unbounded))
	}
	var both sync.WaitGroup
	bell, cancel := context.WithTimeout(ctx, *duration)
	defer cancel()
	for _, p := range []*pipe{endless, waits, drops} {
		both.Go(func() { p.produce(bell, schedule) })
		both.Go(func() { p.consume(bell, *work) })
		both.Go(func() { p.Length = lab.Watch(bell, func() int { return len(p.items) }) })
	}
	both.Wait()

	table := [][]string{{"channel", "produced", "consumed", "dropped", "left", "longest wait ms"}}
	for _, p := range []*pipe{endless, waits, drops} {
		p.Left = len(p.items)
		if p.Left > 0 {
			p.waited(<-p.items)
		}
		step.Row(p)
		table = append(table, []string{p.Name, fmt.Sprint(p.Produced), fmt.Sprint(p.Consumed),
			fmt.Sprint(p.Dropped), fmt.Sprint(p.Left), p.LongestWait.String()})
	}
	slowest := max(endless.WorkSlower, waits.WorkSlower, drops.WorkSlower)
	step.Print(lab.Table(table) + fmt.Sprintf("work slower than asked: %.1f%%\n", 100*slowest))
	doubtSlowWork(step, slowest, min(endless.WorkSlower, waits.WorkSlower, drops.WorkSlower))

	step.Add("left in the small channels", max(waits.Left, drops.Left) <= *buffer,
		fmt.Sprintf("%d and %d", waits.Left, drops.Left), fmt.Sprintf("at most %d", *buffer))
	least := min(endless.Consumed, waits.Consumed, drops.Consumed)
	most := max(endless.Consumed, waits.Consumed, drops.Consumed)
	step.Add("consumed, least to most", float64(most) <= 1.05*float64(least),
		fmt.Sprintf("%d to %d", least, most), "within 5%")
	step.Add("dropped by the producer that waits", waits.Dropped == 0, fmt.Sprint(waits.Dropped), "0")
	longest := max(waits.LongestWait, drops.LongestWait)
	step.Add("longest wait in a small channel", longest*3 <= endless.LongestWait,
		fmt.Sprintf("%v ms", longest), fmt.Sprintf("at most a third of %v ms", endless.LongestWait))
	step.KeyFigure("the longest wait was %v ms, and %v ms without a bound", longest, endless.LongestWait)
	return step.End(ctx, "make step-3")
}
