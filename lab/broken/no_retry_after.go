package broken

import (
	"context"
	"errors"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// NoRetryAfter makes a new error for each refusal, and forgets RetryAfter in it.
//
// The header is still there, with the 1 that stands for "not said": all who were
// turned away come back within the same second.
func NoRetryAfter(l lab.Limits) (labtest.Controller, error) { return assemble(l, noRetryAfter) }

func noRetryAfter(ctx context.Context, p *parts) error {
	err := acquire(ctx, p)
	if shed, ok := errors.AsType[*lab.Overloaded](err); ok {
		return &lab.Overloaded{Reason: shed.Reason} // MISTAKE: RetryAfter is missing
	}
	return err
}
