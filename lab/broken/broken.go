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
	Graph   string // what a graph in production would have shown, in at most 33 letters
	New     labtest.Constructor
}

// All lists the broken controllers.
var All = []Variant{
	{"Leaky", "a place in line is given back only on the way that gets a slot",
		"line_full climbs, slots are idle", Leaky},
	{"SlotLostByPanic", "the slot is given back after the work, not in a defer",
		"throughput falls with each panic", SlotLostByPanic},
	{"SlotLostInRace", "a slot that comes together with a cancel is not handed back",
		"running stays high all night", SlotLostInRace},
	{"CheckThenAdd", "the line is compared with its limit in one step and joined in another",
		"line above its limit, in bursts", CheckThenAdd},
	{"DeadCaller", "a select decides between a free slot and a context that is done",
		"slots busy, few answers delivered", DeadCaller},
	{"Barging", "those in line try again every millisecond instead of queueing",
		"good p50, p99 at the wait limit", Barging},
	{"WaitsWhenFull", "a request waits for a place when the line is full",
		"slow refusals, many goroutines", WaitsWhenFull},
	{"ShedsWhenIdle", "a request joins the line before it looks for a free slot",
		"everything shed, processor idle", ShedsWhenIdle},
	{"NoWaitLimit", "the line is bounded, the wait is not",
		"client timeouts, but no sheds", NoWaitLimit},
	{"LazyWaitLimit", "the wait limit is enforced only when another request comes",
		"waits of minutes, only at night", LazyWaitLimit},
	{"DoubleCount", "a request that waited too long is counted twice",
		"more arrivals than at the proxy", DoubleCount},
	{"PlaceLostByCancel", "a client that leaves the line keeps its place",
		"waiting never falls back to 0", PlaceLostByCancel},
	{"NoRetryAfter", "the refusal forgets what the client is to be told",
		"waves of arrivals, 1 s apart", NoRetryAfter},
	{"FreeSlotLoses", "a free slot and a wait limit of 0 are asked for in one select",
		"half shed, however low the load", FreeSlotLoses},
	{"LostWakeUp", "two slots freed at once both wake the first in line",
		"waiting above 0 beside free slots", LostWakeUp},
}
