package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// BlamesCritical counts what it refuses in a place where nobody knows the class, and
// takes the usual one.
//
// It decides well. But the graph says that customers are turned away, night for
// night, and that all is well with the batch work.
func BlamesCritical(l lab.Limits, s lab.Shares) (labtest.PriorityController, error) {
	p, err := newClassParts(l, s)
	if err != nil {
		return nil, err
	}
	return &blamesCritical{p}, nil
}

type blamesCritical struct{ *classParts }

func (c *blamesCritical) Do(ctx context.Context, work func() error) error {
	class := lab.CriticalityOf(ctx)
	if err := acquireAs(ctx, c.classParts, class); err != nil {
		c.countAs(lab.Critical, err) // MISTAKE: the class of the request is meant
		return err
	}
	c.countAs(class, nil)
	defer c.release()
	return work()
}
