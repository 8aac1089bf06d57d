package broken

import (
	"context"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// DoubleCount counts a request that waited too long where the wait ends, and
// again where all outcomes are counted.
//
// Nobody is treated wrongly, but the graphs lie: more arrivals than there were,
// and a shed rate that is up to twice the true one.
func DoubleCount(l lab.Limits) (labtest.Controller, error) { return assemble(l, doubleCount) }

func doubleCount(ctx context.Context, p *parts) error {
	err := acquire(ctx, p)
	if err == p.waitedTooLong {
		p.shedWaitedTooLong.Add(1) // MISTAKE: Do counts every outcome already
	}
	return err
}
