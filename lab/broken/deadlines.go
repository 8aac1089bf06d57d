package broken

// Deadlines lists the broken controllers that heed deadlines. Compare their files with
// newDeadlineParts in deadline_parts.go.
var Deadlines = []Variant{
	{"DeadlineIsNow", "a request without a deadline is taken for one that is over",
		"everything shed but health checks", DeadlineIsNow},
	{"SlotCheckOnly", "what would be late is found out at the slot alone",
		"would_be_late, all of them slow", SlotCheckOnly},
	{"OneSlot", "the line is taken to move as if there were one slot",
		"would_be_late, slots are idle", OneSlot},
	{"DoorCheckOnly", "the time that is left is looked at before the line alone",
		"wasted work, on slow days only", DoorCheckOnly},
	{"AverageOnly", "the work is expected to take its average time",
		"wasted work after each slowdown", AverageOnly},
	{"StaysToTheEnd", "a request stays in line until its deadline",
		"client timeouts, few refusals", StaysToTheEnd},
	{"NeverForgets", "an estimate is believed however old it is",
		"all shed, idle, until the restart", NeverForgets},
	{"RateOfArrivals", "the line is taken to move at the finished requests per second",
		"a burst after lunch is shed", RateOfArrivals},
	{"WaitCounts", "the time of the work is taken from the arrival",
		"shedding goes on after a burst", WaitCounts},
	{"RefusalsTeach", "a refusal is taken for work that took no time",
		"waves: all shed, then all wasted", RefusalsTeach},
	{"CountedTwice", "what is turned away late stays counted by the controller inside",
		"more admitted than was worked on", CountedTwice},
	{"SameForAll", "all who are turned away together are told to come back together",
		"waves, a line's length apart", SameForAll},
	{"NoCap", "Retry-After has no upper bound",
		"clients that come back tomorrow", NoCap},
}
