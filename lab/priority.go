package lab

import (
	"context"
	"fmt"
	"math"
)

// Shares say for each class how long the line may be for a request of that class to
// join it: fewer than so many requests must be waiting, of whatever class. The last
// places are so kept for what is more important. The zero value is the strictest:
// the class gets a slot that is free, or nothing. (For an instant two things are not as
// they seem: whoever gives up counts until it has noticed, and whoever is overtaken on
// the way to a free slot gets the place in line of the quicker one.)
//
// A share is a wait, by [LittlesLaw]: as those who are in line are served first come,
// first served, the share of the least important is what the others wait for when
// there is too much of it. And a place is worth nothing if the wait there is longer
// than MaxWait.
type Shares [CriticalPlus + 1]int

// A PriorityController is a [Controller] whose line is not equally long for everybody.
// It reads the class of a request from its context, with [CriticalityOf]. When there
// is more to do than can be done, the less important class finds the line full first.
//
// It keeps the order and takes no place back: a request that was let in is served
// before those that came later, however important they are. That is enough, since
// the line is short, and it spares whoever waits from being overtaken for ever.
//
// A class is starved if the more important ones alone are more than can be served.
// [PriorityController.Classes] shows it.
//
// Make one with [NewPriorityController]; the zero value is not usable. All methods
// are safe for concurrent use.
type PriorityController struct {
	// One for each class. They have the slots and the line in common; each has its
	// own limit up to which it joins the line, and its own counters.
	classes [CriticalPlus + 1]*Controller
}

// NewPriorityController returns a controller with all slots free. It returns an error
// if the limits make no sense, if a class has a larger share than a more important
// one, or if that of CriticalPlus is not MaxWaiting: nobody could use the rest.
func NewPriorityController(l Limits, shares Shares) (*PriorityController, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	if err := shares.validate(l.MaxWaiting); err != nil {
		return nil, err
	}
	p := &PriorityController{}
	slots, common := make(chan struct{}, l.Slots), &line{slots: int64(l.Slots)}
	for class, share := range shares {
		l.MaxWaiting = share
		p.classes[class] = newController(l, slots, common)
	}
	return p, nil
}

func (s Shares) validate(maxWaiting int) error {
	if most := s[CriticalPlus]; most != maxWaiting {
		return fmt.Errorf("shares: that of critical_plus is %d, want MaxWaiting, which is %d", most, maxWaiting)
	}
	places := func(share int) int {
		if share == NoLimit {
			return math.MaxInt
		}
		return share
	}
	for c := Sheddable; c < CriticalPlus; c++ {
		if s[c] < NoLimit || places(s[c]) > places(s[c+1]) {
			return fmt.Errorf("shares: that of %v is %d, want 0 to that of %v, which is %d", c, s[c], c+1, s[c+1])
		}
	}
	return nil
}

// Do is [Controller.Do] for a request of the class that ctx has. LineFull means that
// the line is full for that class.
func (p *PriorityController) Do(ctx context.Context, work func() error) error {
	return p.classes[CriticalityOf(ctx)].Do(ctx, work)
}

// Stats returns the counters of all classes together.
func (p *PriorityController) Stats() Stats {
	total := p.classes[0].Stats() // what runs and what waits is that of all
	for _, c := range p.classes[1:] {
		s := c.Stats()
		total.Admitted += s.Admitted
		total.ShedLineFull += s.ShedLineFull
		total.ShedWaitedTooLong += s.ShedWaitedTooLong
		total.Gone += s.Gone
		total.Arrived += s.Arrived - s.Waiting
	}
	return total
}

// ClassStats are the counters of one class. A request is not in them as long as it
// waits.
type ClassStats struct {
	Admitted          int `json:"admitted"`
	ShedLineFull      int `json:"shed_line_full"`
	ShedWaitedTooLong int `json:"shed_waited_too_long"`
	Gone              int `json:"gone"`
}

// Classes returns the counters of each class.
func (p *PriorityController) Classes() map[Criticality]ClassStats {
	stats := make(map[Criticality]ClassStats, len(p.classes))
	for class, c := range p.classes {
		s := c.Stats()
		stats[Criticality(class)] = ClassStats{s.Admitted, s.ShedLineFull, s.ShedWaitedTooLong, s.Gone}
	}
	return stats
}

// classesOf returns the counters of each class, and nil if gate knows no classes.
func classesOf(gate Gatekeeper) map[Criticality]ClassStats {
	if p, ok := gate.(interface {
		Classes() map[Criticality]ClassStats
	}); ok {
		return p.Classes()
	}
	return nil
}
