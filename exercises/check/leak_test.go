package check

import (
	"testing"

	"go.uber.org/goleak"
)

// Some of the tests are about goroutines that are blocked for ever, and with them the
// bubble they are in.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("example.com/sheddinglab/exercises/check.(*gate).Do"),
		goleak.IgnoreAnyFunction("example.com/sheddinglab/exercises/check.TestDeadlock.func1"),
		goleak.IgnoreAnyFunction("example.com/sheddinglab/exercises/check.TestLeftBehind.func1.1"),
		goleak.IgnoreAnyFunction("example.com/sheddinglab/exercises/check.TestWrongAndLeftBehind.func1.1"),
		goleak.IgnoreAnyFunction("example.com/sheddinglab/exercises/check.newWorkers.func1"),
		goleak.IgnoreAnyFunction("testing/synctest.testingSynctestTest"))
}
