package lab

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns how long the Retry-After header of an answer that came at
// now asks its client to wait (RFC 9110, section 10.2.3): a whole number of
// seconds, or an HTTP date in any of its three forms, rounded up to a second.
//
// It returns 0 if the header asks for nothing: there is none, it says 0, its date
// has passed, or it is not legal, such as "1.5", "-5" or two of them. A client
// must then wait by a rule of its own, not come back at once. What is longer than
// any [time.Duration] becomes the longest.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	values := h.Values("Retry-After")
	if len(values) != 1 {
		return 0
	}
	value := strings.Trim(values[0], " \t")
	if isDigits(value) {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			n = math.MaxInt64 // more digits than fit
		}
		return wholeSeconds(n)
	}
	date, err := http.ParseTime(value)
	if err != nil || !date.After(now) {
		return 0
	}
	// Not (wait + Second - 1) / Second: Sub stops at the longest duration.
	return wholeSeconds(int64((date.Sub(now)-1)/time.Second) + 1)
}

// isDigits reports whether s is what RFC 9110 calls 1*DIGIT. ParseInt alone
// would take a sign as well.
func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// wholeSeconds is n seconds, or the longest duration.
func wholeSeconds(n int64) time.Duration {
	if n > math.MaxInt64/int64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(n) * time.Second
}
