package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/sheddinglab/lab"
)

const aboutURL = `It sends single requests to see that somebody answers, then finds the capacity
with users who wait for their answers, more and more of them until the rate stops
growing. Then it sends multiples of the capacity by a fixed schedule, whatever
becomes of the earlier requests, and waits between them until the service has
finished with the last. Who has no answer within -patience hangs up.

A 2xx is an answer, 503 and 429 are refusals, and anything else is an error. Of a
body 64 KiB are read. Redirects are not followed, proxies are not used, and HTTP/2
is not spoken. It ends with 0 if it could tell how the service behaves, 3 if it
could not, 2 if nobody answers, and 130 after Ctrl-C.

  go run ./steps/09-sweep -url http://127.0.0.1:8080/work
  go run ./steps/09-sweep -url http://127.0.0.1:8080/orders -method POST \
      -H 'Content-Type: application/json' -body @order.json -capacity 300

One machine can send some thousands of requests a second. For more, let vegeta
send from several, and count with -from: see -from -h.
`

// urlOptions are the flags of a sweep at a URL.
type urlOptions struct {
	url    *url.URL
	method string
	header http.Header
	body   []byte

	capacity  *float64 // 0 = to be measured
	multiples []float64
	rates     []float64 // instead of multiples
	goOn      *bool

	patience, duration, warmUp, drain *time.Duration

	keepAlive   *bool
	connections *int // at most
	ownHost     *bool
	maxRate     *float64
	csv         *bool
}

func newURLOptions(step *lab.Step) *urlOptions {
	o := &urlOptions{
		method: http.MethodGet, header: http.Header{},
		multiples: []float64{0.5, 1, 1.5, 2, 4},
	}
	step.About(aboutURL)
	step.Param("url", "the `URL` to send to", o.setURL, func() string {
		if o.url == nil {
			return ""
		}
		return o.url.Redacted()
	})
	step.Param("method", "of the requests", o.setMethod, func() string { return o.method })
	step.Param("H", "a header, `'Name: value'`; may be given several times", o.addHeader, func() string {
		return strings.Join(slices.Sorted(maps.Keys(o.header)), ",") // a value may be a password
	})
	step.Param("body", "of the requests, or `@file` to read it from", o.setBody, func() string {
		if o.body == nil {
			return ""
		}
		return fmt.Sprintf("(%d bytes)", len(o.body))
	})
	o.capacity = step.Float("capacity", 0, "requests per second that the service can finish (default measured)")
	chosen := false
	step.Param("multiples", "loads, in multiples of the capacity", func(text string) (err error) {
		if o.rates != nil {
			return errors.New("want either -multiples or -rates")
		}
		chosen = true
		o.multiples, err = numbers(text)
		return err
	}, func() string { return list(o.multiples) })
	step.Param("rates", "loads, in requests per second, instead of -multiples", func(text string) (err error) {
		if chosen {
			return errors.New("want either -multiples or -rates")
		}
		o.multiples = nil
		o.rates, err = numbers(text)
		return err
	}, func() string { return list(o.rates) })
	o.goOn = step.Bool("go-on", "send loads above the knee too")
	o.patience = step.Millis("patience", time.Second, "how long a client waits for its answer")
	o.duration = step.Seconds("duration", 5*time.Second, "how long requests of one load are counted")
	o.warmUp = step.Seconds("warm-up", time.Second, "how long they come before that, and are not counted")
	o.drain = step.Seconds("drain", 30*time.Second, "longest wait between two loads for the service to finish")
	o.keepAlive = step.Bool("keep-alive", "use a connection for several requests; with =false, each request is a client of its own")
	step.Default("keep-alive", "true")
	o.connections = step.Int("connections", 65_535, "most connections at once; a request that waits for one grows older meanwhile")
	o.ownHost = step.Bool("i-own-this-host", "send to another machine than this one")
	o.maxRate = step.Float("max-rate", 1000, "most requests per second that may be sent, also when the capacity is measured")
	o.csv = step.CSV()
	return o
}

// check finds what is wrong with the options together, before anything is sent.
func (o *urlOptions) check(ctx context.Context, lookup func(context.Context, string) ([]netip.Addr, error)) error {
	if o.url == nil {
		return errors.New("-url is missing, want one such as http://127.0.0.1:8080/work")
	}
	rates := slices.Clone(o.rates)
	if *o.capacity > 0 && len(rates) == 0 {
		for _, x := range o.multiples {
			rates = append(rates, x**o.capacity)
		}
	}
	for _, rate := range rates {
		if err := o.tooMuch(rate, 0); err != nil {
			return err
		}
	}
	return checkHost(ctx, o.url.Hostname(), *o.ownHost, lookup)
}

// load is the open loop of one rate, warm-up included.
func (o *urlOptions) load(rate float64) lab.OpenLoop {
	return lab.OpenLoop{Rate: rate, Duration: *o.warmUp + *o.duration, Patience: *o.patience, HangUp: true}
}

// tooMuch returns why a rate must not be sent, or nil. Some connections may be
// there already.
func (o *urlOptions) tooMuch(rate float64, there int) error {
	if rate > *o.maxRate {
		return fmt.Errorf("%s are above -max-rate, which is %g: raise it if the service is yours, "+
			"and whatever else it runs on", perSecond(rate), *o.maxRate)
	}
	// A client hangs up when its patience ends, so this many are there at once.
	const others = 64 // files and connections of this process
	need := min(math.Ceil(rate*o.patience.Seconds()), float64(*o.connections))
	if have := lab.MaxDescriptors(); need+float64(there)+others > float64(have) {
		return fmt.Errorf("%s with a patience of %v can take %.0f connections at once, and this process may have %d files open: "+
			"raise that with ulimit -n, lower -patience, or set -connections", perSecond(rate), *o.patience, need, have)
	}
	return o.load(rate).Validate()
}
