package broken

import "example.com/sheddinglab/lab/labtest"

// An AdjustableVariant is one broken controller whose number of slots may be changed.
type AdjustableVariant struct {
	Variant // New is not used
	New     labtest.AdjustableConstructor
}

// Adjustable lists the broken controllers whose number of slots may be changed. Compare
// their files with setLimit and giveBack in adaptive_parts.go.
var Adjustable = []AdjustableVariant{
	{Variant{Name: "WakesNobody", Mistake: "a raised limit is only written down",
		Graph: "limit up, running as before"}, WakesNobody},
	{Variant{Name: "LowersFreeOnly", Mistake: "a lowered limit takes away the slots that are free just then",
		Graph: "running stays above the limit"}, LowersFreeOnly},
	{Variant{Name: "WaitsToLower", Mistake: "whoever lowers the limit waits in line for the slots",
		Graph: "limit changes late, under load"}, WaitsToLower},
	{Variant{Name: "RaisesInDebt", Mistake: "a raised limit forgets what lowering it has yet to take away",
		Graph: "running above limit after a dip"}, RaisesInDebt},
	{Variant{Name: "LimitOfZero", Mistake: "nothing keeps the limit above 0",
		Graph: "running 0, until the restart"}, LimitOfZero},
}

// An AdaptiveVariant is one broken controller whose number of slots finds itself.
type AdaptiveVariant struct {
	Variant // New is not used
	New     labtest.AdaptiveConstructor
}

// Adaptive lists the broken controllers whose number of slots finds itself. Compare
// their files with func adapt in adaptive_parts.go, or with [lab.Gradient].
var Adaptive = []AdaptiveVariant{
	{Variant{Name: "Drifts", Mistake: "work is compared with the average of all work",
		Graph: "limit and p99 climb for an hour"}, Drifts},
	{Variant{Name: "CountsTheWait", Mistake: "the time in line is counted as work",
		Graph: "limit moves with the line"}, CountsTheWait},
	{Variant{Name: "Hasty", Mistake: "the limit changes again before the last change can be seen",
		Graph: "limit is a saw, goodput less"}, Hasty},
	{Variant{Name: "FixedTarget", Mistake: "work is compared with a time from the configuration",
		Graph: "limit at its minimum for days"}, FixedTarget},
	{Variant{Name: "CountsRefusals", Mistake: "work that failed at once counts as fast work",
		Graph: "limit up, as the database fails"}, CountsRefusals},
	{Variant{Name: "DropsTimeouts", Mistake: "only work that succeeded is looked at",
		Graph: "all time out, the limit is flat"}, DropsTimeouts},
	{Variant{Name: "GrowsWhenIdle", Mistake: "a limit is raised that nobody has reached",
		Graph: "limit at its maximum each night"}, GrowsWhenIdle},
}
