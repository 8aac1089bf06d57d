// Package labtest tests any admission controller against the rules that the
// lab's own [lab.Controller] keeps, in the manner of [testing/slogtest].
//
// To run it on a controller of your own:
//
//	func TestMine(t *testing.T) {
//		labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) {
//			return mine.New(l)
//		})
//	}
//
// The first eight rules are numbered 1 to 8. Number 5, "the check before this
// one catches the leaky controller", is missing here: it is a rule for the
// checks and not for a controller, and lives in the tests of package lab. That
// every check catches somebody is shown in package broken.
//
// A controller with classes has rules of its own besides: [PriorityBehaviours]. One
// that heeds the deadlines of its requests has [DeadlineBehaviours], one whose number of
// slots can be changed [AdjustableBehaviours], and one that changes it by itself
// [AdaptiveBehaviours].
//
// # What the kit cannot see
//
//   - Races that are rarer than its rounds. Run it with -race too.
//   - How promptly a wait ends: on the wall clock a check must allow for a busy
//     machine, and allows 400 ms.
//   - Cost: memory, allocations, processor time burnt while waiting.
//   - Goroutines and timers that a controller leaves behind without being late
//     for it. In a bubble of [testing/synctest] a goroutine that never ends is
//     seen, and there it stops the whole test program.
//   - A controller that heeds neither its wait limit nor its context: the check
//     says that it did not get its requests back, and leaves them where they
//     are.
//   - A deadlock over a [sync.Mutex], in a bubble: its time stands still as long as
//     anybody waits for a mutex, and the test ends with the time limit of go test,
//     whose stacks show who waits for whom. On the wall clock, [Behaviour.Check]
//     says it in seconds.
//   - Waits without a limit, because a check must come to an end. NoLimit is
//     only used while slots are free.
//   - Real connections. The rule about HTTP is checked without a network.
package labtest
