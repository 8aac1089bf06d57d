package lab

import (
	"io"
	"net/http"
	"time"
)

// A RetryTransport is an [http.RoundTripper] that sends a request again when it
// was turned away with a 503 (Service Unavailable) or a 429 (Too Many Requests),
// as [Retry] says:
//
//	client := &http.Client{
//		Transport: &lab.RetryTransport{Retry: lab.Retry{Budget: new(lab.RetryBudget)}},
//		Timeout:   5 * time.Second, // for all tries together
//	}
//
// When there are no more tries, or no time or budget for another, its caller gets
// the last answer, as if there had been one try. No other answer is tried again,
// and no error: the service may have done the work.
//
// Only requests that may be repeated are: those with an idempotent method (RFC
// 9110, section 9.2.2), and those that say so by an Idempotency-Key header, which,
// as for [http.Transport], is not sent if it has no values. Their body, if any,
// must have a GetBody, as [http.NewRequest] sets it.
//
// The zero value sends every request once, with [http.DefaultTransport]. Safe for
// concurrent use.
type RetryTransport struct {
	Base  http.RoundTripper // sends a request once; nil = http.DefaultTransport
	Retry Retry
}

// maxDrain is how much is read of an answer that nobody wants, in bytes. A new
// connection costs less than more of it.
const maxDrain = 64 << 10

// RoundTrip implements [http.RoundTripper].
func (t *RetryTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	ctx := req.Context()
	t.Retry.Budget.deposit()
	for try, send := 1, req; ; try++ {
		res, err := base.RoundTrip(send)
		if err != nil || !turnedAway(res) || !repeatable(req) {
			return res, err
		}
		wait, again := t.Retry.next(ctx, try, RetryAfter(res.Header, time.Now()))
		if !again {
			return res, nil
		}
		if send, err = rewound(req); err != nil {
			return res, nil // it cannot be sent again
		}
		drained := drain(res.Body)
		slept := sleepUntil(ctx, time.Now().Add(wait))
		drained()
		if !slept {
			return nil, ctx.Err()
		}
	}
}

// drain begins to read the rest of an answer that nobody wants, so that its
// connection can be used again, and returns what ends that: at once if all has been
// read, and otherwise after a moment.
func drain(body io.ReadCloser) (end func()) {
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.CopyN(io.Discard, body, maxDrain)
	}()
	return func() {
		moment := time.NewTimer(100 * time.Millisecond)
		defer moment.Stop()
		select {
		case <-read:
			body.Close()
		case <-moment.C:
			go body.Close() // that of gzip waits for a Read which waits for the service
		}
	}
}

func turnedAway(res *http.Response) bool {
	return res.StatusCode == http.StatusServiceUnavailable || res.StatusCode == http.StatusTooManyRequests
}

func repeatable(req *http.Request) bool {
	if hasBody(req) && req.GetBody == nil {
		return false
	}
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodPut, http.MethodDelete:
		return true
	}
	_, said := req.Header["Idempotency-Key"]
	return said
}

func hasBody(req *http.Request) bool { return req.Body != nil && req.Body != http.NoBody }

// rewound is req with its body at the start. A RoundTripper must not change the
// request it was given.
func rewound(req *http.Request) (*http.Request, error) {
	if !hasBody(req) {
		return req, nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	again := req.WithContext(req.Context()) // a shallow copy
	again.Body = body
	return again, nil
}
