package lab

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain runs the tests, or is one of the programs that child_test.go starts
// this test binary as. Those do without Main, which would end them with their
// parent in a way of its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if program, ok := programs[os.Args[1]]; ok {
			if err := program(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}
