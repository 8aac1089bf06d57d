package lab

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A DeadlineSource says what to believe about how long the client of a request goes
// on waiting for it. The zero value believes nothing, and no request gets a deadline.
//
// Believe only what a gateway of your own sets, and make it remove what clients send
// under the same name: who is believed to have more time than the others is let in
// where they are turned away.
type DeadlineSource struct {
	// TimeoutHeader is the name of a header with the time that the client waits, as
	// a whole number of milliseconds. X-Envoy-Expected-Rq-Timeout-Ms is one.
	TimeoutHeader string

	// RequestStart believes X-Request-Start: the time in the TimeoutHeader, or
	// Assumed, is then counted from the instant the gateway got the request, and
	// otherwise from now. Leave it out if the gateway counts by itself, and tells in
	// the header what is left.
	RequestStart bool

	// Assumed is how long a client waits that does not say so; 0 = nothing is assumed.
	Assumed time.Duration
}

// ReadDeadline returns an [Option] that gives the request's context the deadline of
// its client, if source has one for it.
func ReadDeadline(source DeadlineSource) Option {
	return func(r *http.Request) context.Context {
		now := time.Now()
		timeout, ok := source.timeout(r.Header)
		if !ok {
			return r.Context()
		}
		if source.RequestStart {
			waited, _ := RequestStart(r.Header, now)
			timeout -= waited
		}
		ctx, cancel := context.WithDeadline(r.Context(), now.Add(timeout))
		_ = cancel // net/http ends the context around this one when the request has ended
		return ctx
	}
}

func (s DeadlineSource) timeout(h http.Header) (timeout time.Duration, ok bool) {
	if s.TimeoutHeader != "" {
		values := h.Values(s.TimeoutHeader)
		if len(values) == 1 && isDigits(values[0]) {
			ms, err := strconv.ParseInt(values[0], 10, 64)
			// Envoy's 0 is "no timeout".
			if err == nil && ms > 0 && ms <= maxDuration.Milliseconds() {
				return time.Duration(ms) * time.Millisecond, true
			}
		}
	}
	return s.Assumed, s.Assumed > 0
}

// maxQueueTime bounds what [RequestStart] believes.
const maxQueueTime = time.Minute

// RequestStart returns how long before now the gateway got a request, as its header
// X-Request-Start says: a Unix time in seconds, milliseconds or microseconds, with a
// fraction or without, and with "t=" before it or without.
//
// It is 0 if the gateway's clock is ahead of this one. It is not known, and ok is
// false, if the header is missing, there twice or not readable, or more than a minute
// ago: no gateway keeps a request for that long, so its clock must be wrong.
func RequestStart(h http.Header, now time.Time) (waited time.Duration, ok bool) {
	values := h.Values("X-Request-Start")
	if len(values) != 1 {
		return 0, false
	}
	start, ok := unixTime(strings.TrimPrefix(strings.TrimSpace(values[0]), "t="))
	if !ok {
		return 0, false
	}
	waited = now.Sub(start)
	if waited > maxQueueTime {
		return 0, false
	}
	return max(0, waited), true
}

// unixTime reads a Unix time and tells its unit by its size: as seconds, the smallest
// number that is taken for milliseconds is in the year 5138.
func unixTime(text string) (t time.Time, ok bool) {
	whole, fraction, dot := strings.Cut(text, ".")
	if !isDigits(whole) || dot && !isDigits(fraction) {
		return time.Time{}, false // ParseFloat would take 1e9, +1, 0x1p30 and inf
	}
	x, err := strconv.ParseFloat(text, 64) // to a quarter of a microsecond
	switch {
	case err != nil || x >= 1e17:
		return time.Time{}, false
	case x >= 1e14:
		x /= 1e6
	case x >= 1e11:
		x /= 1e3
	}
	return time.UnixMicro(int64(x * 1e6)), true
}
