package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

// A scenario is a bad minute in short. The only slot is held, and requests ask for
// it one after the other, two more than there are places in line. Each of them
// gives up before the next one asks, so there is never more than one in line. Then
// one asks that would only have to wait for freeAfter.
type scenario struct {
	places             int
	maxWait, freeAfter time.Duration
}

// An ending is what becomes of a scenario.
type ending struct {
	WaitedTooLong int    `json:"waited_too_long"`
	LineFull      int    `json:"line_full"`
	InLine        int    `json:"in_line"` // as the controller counts, when all have given up
	Last          string `json:"last_one"`
}

func (e ending) String() string {
	return fmt.Sprintf("%d, %d, %d, %s", e.WaitedTooLong, e.LineFull, e.InLine, e.Last)
}

// An endingRow is the ending of a scenario with one controller.
type endingRow struct {
	Table      string `json:"table"`
	Controller string `json:"controller"`
	ending
	FreedAfter lab.Millis `json:"freed_after_ms"`
}

// play plays the scenario with a new controller, or as much of it as ctx allows.
func (s scenario) play(ctx context.Context, name string, new labtest.Constructor) (endingRow, error) {
	r := endingRow{Table: "scenario", Controller: name}
	c, err := new(lab.Limits{Slots: 1, MaxWaiting: s.places, MaxWait: s.maxWait})
	if err != nil {
		return r, err
	}
	held, lastAsks := make(chan struct{}), make(chan time.Time)
	var holder sync.WaitGroup
	holder.Go(func() {
		c.Do(context.WithoutCancel(ctx), func() error {
			close(held)
			asked := <-lastAsks
			lab.PretendWork(ctx, s.freeAfter)
			r.FreedAfter = lab.ToMillis(time.Since(asked))
			return nil
		})
	})
	<-held
	for range s.places + 2 {
		switch ask(ctx, c) {
		case string(lab.WaitedTooLong):
			r.WaitedTooLong++
		case string(lab.LineFull):
			r.LineFull++
		}
	}
	r.InLine = c.Stats().Waiting
	lastAsks <- time.Now()
	r.Last = ask(ctx, c)
	holder.Wait()
	return r, nil
}

// ask says what becomes of a request whose work takes no time.
func ask(ctx context.Context, c labtest.Controller) string {
	err := c.Do(ctx, func() error { return nil })
	shed, isShed := errors.AsType[*lab.Overloaded](err)
	switch {
	case err == nil:
		return "served"
	case isShed:
		return string(shed.Reason)
	default:
		return "gone"
	}
}

// tell plays the scenario with the correct controller and with the leaky one, side
// by side, and reports how it ends.
func tell(ctx context.Context, step *lab.Step, s scenario, correct labtest.Constructor) error {
	step.Printf("The slot is held, the line has %d places, the wait limit is %v. %d ask one after the other; "+
		"then one asks %v before the slot is freed.", s.places, s.maxWait, s.places+2, s.freeAfter)
	covered := s.freeAfter < s.maxWait
	if !covered {
		step.Doubt("the claims are about a -free-after below -max-wait")
	}
	latest := lab.ToMillis(s.freeAfter + (s.maxWait-s.freeAfter)/2) // later, it may be too late for the last one
	contrast := []struct {
		name string
		new  labtest.Constructor
		want ending
	}{
		{"Controller", correct, ending{WaitedTooLong: s.places + 2, Last: "served"}},
		{"Leaky", broken.Leaky, ending{s.places, 2, s.places, string(lab.LineFull)}},
	}
	rows, errs := make([]endingRow, len(contrast)), make([]error, len(contrast))
	var both sync.WaitGroup
	for i, c := range contrast {
		both.Go(func() { rows[i], errs[i] = s.play(ctx, c.name, c.new) })
	}
	both.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}

	table := [][]string{{"controller", "waited_too_long", "line_full", "in line afterwards", "the last one"}}
	for i, r := range rows {
		want := contrast[i].want
		table = append(table, []string{r.Controller, fmt.Sprint(r.WaitedTooLong), fmt.Sprint(r.LineFull), fmt.Sprint(r.InLine), r.Last})
		step.Row(r)
		step.Add("the row of "+r.Controller, r.ending == want, r.ending.String(), want.String())
		if covered && r.FreedAfter > latest {
			step.Busy("the slot of %s was freed after %s ms, want at most %s ms",
				r.Controller, r.FreedAfter, latest)
		}
	}
	step.Print(lab.Table(table))
	return nil
}
