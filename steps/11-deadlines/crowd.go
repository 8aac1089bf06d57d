package main

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"example.com/sheddinglab/lab"
)

// A crowd are clients of mixed patience behind a gateway with a queue of its own. How
// long each waits depends on nothing but its number, so that every policy meets the
// same crowd.
type crowd struct {
	load    lab.OpenLoop
	gateway []time.Duration // how long each request stands in the gateway's queue
}

func newCrowd(o options, multiple float64) crowd {
	c := crowd{load: lab.OpenLoop{Rate: multiple * o.Capacity, Duration: o.Duration, Patience: o.ClientTimeout}}
	if c.load.Validate() != nil {
		return c // it is the run that says so
	}
	patience := make([]time.Duration, c.load.Count())
	c.gateway = make([]time.Duration, len(patience))
	for i := range patience {
		random := lab.Seeded(uint64(*o.seed), uint64(i))
		patience[i] = *o.shortest + time.Duration(random()*float64(o.ClientTimeout-*o.shortest))
		c.gateway[i] = time.Duration(random() * float64(*o.gateway))
	}
	c.load.PatienceOf = func(i int) time.Duration { return patience[i] }
	return c
}

const timeoutHeader = "X-Client-Timeout-Ms"

// send sends request i through the gateway, which notes when it came, and calls serve
// with the deadline that a service reads off it that believes its gateway. It came when
// it was due: if this generator is late, that is no fault of the client's.
func (c crowd) send(ctx context.Context, i int, start time.Time, serve func(context.Context, int) error) error {
	came := start.Add(c.load.Due(i))
	if err := lab.PretendWork(ctx, c.gateway[i]); err != nil {
		return err
	}
	request := &http.Request{Header: http.Header{
		"X-Request-Start": {"t=" + strconv.FormatInt(came.UnixMicro(), 10)},
		timeoutHeader:     {strconv.FormatInt(c.load.PatienceOf(i).Milliseconds(), 10)},
	}}
	believe := lab.ReadDeadline(lab.DeadlineSource{TimeoutHeader: timeoutHeader, RequestStart: true})
	return serve(believe(request.WithContext(ctx)), i)
}
