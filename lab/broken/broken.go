// Package broken has controllers that are broken on purpose, with one mistake
// from real life each. The line at fault is marked MISTAKE. Around it everything
// is correct: compare a file with func acquire in parts.go to see what was
// changed.
//
// They show what the checks of package labtest are worth: each of them is
// caught, and each check catches one. Do not use them for anything else.
package broken

import "example.com/sheddinglab/lab/labtest"

// A Variant is one broken controller.
type Variant struct {
	Name    string
	Mistake string // in one line
	Graph   string // what a graph in production would have shown
	New     labtest.Constructor
}

// All lists the broken controllers.
var All = []Variant{
	{"Leaky", "a place in line is given back only on the way that gets a slot",
		"line_full climbs after each peak and never comes down, with idle slots", Leaky},
	{"SlotLostByPanic", "the slot is given back after the work, not in a defer",
		"throughput goes down one step with each panic in the log", SlotLostByPanic},
	{"SlotLostInRace", "a slot that comes together with a cancel is not handed back",
		"running stays high in a quiet night; throughput halves over weeks", SlotLostInRace},
	{"CheckThenAdd", "the line is compared with its limit in one step and joined in another",
		"the line peaks above its limit, in bursts only; memory follows", CheckThenAdd},
	{"DeadCaller", "a select decides between a free slot and a context that is done",
		"slots busy, few answers delivered: half of the work is for nobody", DeadCaller},
	{"Barging", "those in line try again every millisecond instead of queueing",
		"p50 gets better under load while p99 sits at the wait limit", Barging},
	{"WaitsWhenFull", "a request waits for a place when the line is full",
		"refusals take as long as the wait limit; goroutines climb with the load", WaitsWhenFull},
	{"ShedsWhenIdle", "a request joins the line before it looks for a free slot",
		"all requests shed, processor idle, from the minute the line was set to 0", ShedsWhenIdle},
	{"NoWaitLimit", "the line is bounded, the wait is not",
		"client timeouts and no sheds when the work behind becomes slower", NoWaitLimit},
	{"LazyWaitLimit", "the wait limit is enforced only when another request comes",
		"waits of minutes at night, none by day", LazyWaitLimit},
	{"DoubleCount", "a request that waited too long is counted twice",
		"the controller counts more arrivals than the load balancer", DoubleCount},
	{"PlaceLostByCancel", "a client that leaves the line keeps its place",
		"waiting never falls back to 0 and rises with each deploy of the clients", PlaceLostByCancel},
	{"NoRetryAfter", "the refusal forgets what the client is to be told",
		"a spike of arrivals one second after each wave of refusals", NoRetryAfter},
	{"FreeSlotLoses", "a free slot and a wait limit of 0 are asked for in one select",
		"half of all requests shed at any load, from the minute the wait was set to 0", FreeSlotLoses},
	{"LostWakeUp", "two slots freed at once both wake the first in line",
		"waiting above 0 while slots are free; now and then a wait for no reason", LostWakeUp},
}
