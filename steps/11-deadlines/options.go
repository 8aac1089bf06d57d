package main

import (
	"fmt"
	"time"

	"example.com/sheddinglab/lab"
)

// options are the flags. ClientTimeout is the longest patience.
type options struct {
	*lab.Settings
	shortest, gateway, slowAfter   *time.Duration
	multiple, slowMultiple, factor *float64
	seed                           *int
}

func newOptions(step *lab.Step) options {
	o := options{Settings: step.Settings(8 * time.Second)}
	step.Default("client-timeout", "2s")
	o.shortest = step.Millis("shortest-patience", 200*time.Millisecond, "of the least patient client; -client-timeout is the longest")
	o.gateway = step.Millis("gateway", 300*time.Millisecond, "longest time in the gateway's queue")
	o.multiple = step.Float("multiple", 2, "offered load of the overload, in multiples of the capacity")
	o.slowMultiple = step.Float("slow-multiple", 0.8, "offered load of the slowdown, in multiples of the capacity")
	o.slowAfter = step.Seconds("slow-after", 3*time.Second, "when the service slows down")
	o.factor = step.Float("slow-factor", 4, "how many times longer the work takes then")
	o.seed = step.Int("seed", 11, "of the crowd: another one draws other clients")
	return o
}

func (o options) slow() time.Duration { return lab.Seconds(o.ServiceTime.Seconds() * *o.factor) }

// check returns an error for options that make no sense, and doubts what the claims are
// not about.
func (o options) check(step *lab.Step) error {
	if *o.shortest > o.ClientTimeout {
		return lab.Usage(fmt.Errorf("-shortest-patience is %v, want at most -client-timeout, which is %v",
			*o.shortest, o.ClientTimeout))
	}
	const least = 75 // the gate needs about thirty to know the new time well
	if works := float64(o.Slots) * (o.Duration - *o.slowAfter).Seconds() / o.slow().Seconds(); works < least {
		step.Doubt("after the slowdown there is time for %.0f works, want at least %d to tell", max(0, works), least)
	}
	if *o.multiple < 1.2 || *o.slowMultiple > 1 || *o.slowMultiple**o.factor < 1.2 {
		step.Doubt("the claims are about an overload, and about a service that is overloaded only since it slowed down")
	}
	if *o.shortest > *o.gateway+o.ServiceTime {
		step.Doubt("every client has time for a short wait, and a wait limit fits them all")
	}
	if o.ClientTimeout < 2*o.slow()+*o.gateway {
		step.Doubt("the slow work takes so long that hardly anybody can be answered in time")
	}
	return nil
}
