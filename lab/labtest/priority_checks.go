package labtest

import (
	"fmt"
	"slices"
	"strings"

	"example.com/sheddinglab/lab"
)

func freeSlotForEveryClass(c *classCrew) {
	c.build(lab.Limits{Slots: 2, MaxWaiting: 1, MaxWait: long}, lab.Shares{lab.CriticalPlus: 1})
	for range 2 { // with every slot free, and with one
		for _, class := range lab.Criticalities() {
			c.askAs(class, "which finds a free slot and has no share of the line").wantServed()
		}
		c.hold()
	}
	c.askAs(lab.Sheddable, "which finds no free slot and has no share of the line").wantShed(lab.LineFull, 0)
}

func lastPlacesAreKept(c *classCrew) {
	for _, fills := range lab.Criticalities() { // whoever the line is full of
		share := stairs[fills]
		c.build(lab.Limits{Slots: 1, MaxWaiting: 4, MaxWait: long}, stairs)
		c.hold()
		for length := range share + 1 {
			for _, class := range fromSheddable() {
				if stairs[class] <= length {
					c.askAs(class, fmt.Sprintf("which finds %d in line and has a share of %d", length, stairs[class])).
						wantShed(lab.LineFull, 0)
				}
			}
			if length < share {
				c.queueAs(fills, fmt.Sprintf("which finds %d in line and has a share of %d", length, share))
			}
		}
	}
}

func orderAcrossClasses(c *classCrew) {
	order := []lab.Criticality{lab.Sheddable, lab.Critical, lab.SheddablePlus, lab.CriticalPlus}
	c.build(lab.Limits{Slots: 1, MaxWaiting: 4, MaxWait: long}, wholeLine(4))
	holder := c.hold()
	served := make(chan string, len(order))
	for _, class := range order {
		c.queueFor(fmt.Sprintf("a request that is %v", class), func(r *request) error {
			return c.ctrl.Do(lab.WithCriticality(r.ctx, class), func() error {
				served <- class.String()
				return nil
			})
		})
	}
	holder.open()
	for _, r := range c.requests {
		if !r.ends(patience) || r.err != nil {
			fail(r.fate(), "served in its turn")
		}
	}
	var got, want []string
	for _, class := range order {
		got, want = append(got, <-served), append(want, class.String())
	}
	if !slices.Equal(got, want) {
		fail("the order of service was "+strings.Join(got, ", "), strings.Join(want, ", "))
	}
}

func wholeLine(places int) (s lab.Shares) {
	for class := range s {
		s[class] = places
	}
	return s
}

func placeIsKept(c *classCrew) {
	c.build(lab.Limits{Slots: 1, MaxWaiting: 2, MaxWait: long}, wholeLine(2))
	holder := c.hold()
	first, second := c.queueAs(lab.Sheddable, "the first in line"), c.queueAs(lab.Critical, "the second in line")
	for range 2 {
		c.askAs(lab.CriticalPlus, "which finds the line full").wantShed(lab.LineFull, 0)
	}
	for _, r := range []*request{first, second, holder} {
		r.open()
	}
	first.wantServed()
	second.wantServed()
}

func sharesNeverExceeded(c *classCrew) {
	for _, class := range lab.Criticalities() {
		for range 4 {
			c.build(lab.Limits{Slots: 1, MaxWaiting: 4, MaxWait: long}, stairs)
			c.rush(crowd, c.doAs(class))
			c.wantStats(fmt.Sprintf("with Slots 1 and %d requests at once that are %v and have a share of %d: ", crowd, class, stairs[class]),
				lab.Stats{
					Running: 1, Waiting: stairs[class], PeakLine: stairs[class],
					Arrived: crowd, Admitted: 1, ShedLineFull: crowd - 1 - stairs[class],
				})
		}
	}
}

func classesGiveBack(c *classCrew) {
	for _, class := range fromSheddable() {
		c.build(lab.Limits{Slots: 1, MaxWaiting: 4, MaxWait: waitable}, stairs)
		holder := c.hold()
		for range 2 {
			c.askAs(class, "which waits too long").wantShed(lab.WaitedTooLong, waitable)
			leaves := c.queueAs(class, "whose client leaves")
			leaves.cancel()
			leaves.wantGone()
		}
		c.wantCounts("after 4 have given up", 1, 0)
		served := c.queueAs(class, "which comes after 4 that have given up")
		holder.open()
		served.wantBegun()
		served.open()
		served.wantServed()
		c.wantCounts("with nothing in flight", 0, 0)
		c.hold()
		for i := range stairs[class] {
			c.queueAs(class, fmt.Sprintf("number %d of the %d that there is room for", i+1, stairs[class]))
		}
	}
}

func classesAddUp(c *classCrew) {
	c.build(lab.Limits{Slots: 1, MaxWaiting: 4, MaxWait: waitable}, stairs)
	holder := c.hold() // without a class
	for _, class := range lab.Criticalities() {
		c.askAs(class, "which waits too long").wantShed(lab.WaitedTooLong, waitable)
	}
	for i, class := range fromSheddable() { // no two of them have the same counts
		for range i + 1 {
			c.start(fmt.Sprintf("a request that is %v, whose client has left,", class), func(r *request) error {
				r.cancel()
				return c.doAs(class)(r)
			}).wantGone()
		}
	}
	waits := c.queueAs(lab.Sheddable, "the first in line")
	c.askAs(lab.Sheddable, "which finds 1 in line").wantShed(lab.LineFull, 0)
	holder.open()
	waits.wantBegun()
	waits.open()
	waits.wantServed()
	holder.wantServed() // its slot comes back a moment before its call does
	c.askAs(lab.CriticalPlus, "which finds a free slot").wantServed()
	c.wantCounts("with nothing in flight", 0, 0)

	want := map[lab.Criticality]lab.ClassStats{
		lab.Sheddable:     {Admitted: 1, ShedLineFull: 1, ShedWaitedTooLong: 1, Gone: 1},
		lab.SheddablePlus: {ShedWaitedTooLong: 1, Gone: 2},
		lab.Critical:      {Admitted: 1, ShedWaitedTooLong: 1, Gone: 3},
		lab.CriticalPlus:  {Admitted: 1, ShedWaitedTooLong: 1, Gone: 4},
	}
	got := c.ctrl.Classes()
	for _, class := range lab.Criticalities() {
		if got[class] != want[class] {
			fail(fmt.Sprintf("the counters of %v are %+v", class, got[class]), fmt.Sprintf("%+v", want[class]))
		}
	}
	c.wantStats("with nothing in flight: ", c.count(1))
}
