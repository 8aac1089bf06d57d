package broken

import "example.com/sheddinglab/lab/labtest"

// A PriorityVariant is one broken controller with classes.
type PriorityVariant struct {
	Variant // New is not used
	New     labtest.PriorityConstructor
}

// Priority lists the broken controllers with classes. Compare their files with func
// acquireAs in priority_parts.go.
var Priority = []PriorityVariant{
	{Variant{Name: "KeepsSlotsFree", Mistake: "what runs is compared with the share too",
		Graph: "batch shed beside idle slots"}, KeepsSlotsFree},
	{Variant{Name: "CountsOwnClass", Mistake: "a class is compared with its own part of the line",
		Graph: "critical shed in mixed traffic"}, CountsOwnClass},
	{Variant{Name: "ImportantFirst", Mistake: "a freed slot goes to the most important in line",
		Graph: "sheddable waits to the wait limit"}, ImportantFirst},
	{Variant{Name: "PutsOut", Mistake: "one in line is put out for one that is more important",
		Graph: "line_full after a long wait"}, PutsOut},
	{Variant{Name: "ShareThenAdd", Mistake: "the share is looked at in one step, and the line joined in another",
		Graph: "critical shed, in bursts of batch"}, ShareThenAdd},
	{Variant{Name: "ShareLost", Mistake: "a place of a share is given back only on the way that gets a slot",
		Graph: "sheddable: nothing since Tuesday"}, ShareLost},
	{Variant{Name: "BlamesCritical", Mistake: "refusals are counted where the class is not known",
		Graph: "critical shed, says only the graph"}, BlamesCritical},
}
