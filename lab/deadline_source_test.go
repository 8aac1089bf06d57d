package lab_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// Case F1. The request came to the gateway 0.25 s before now.
func TestRequestStart(t *testing.T) {
	const s, ms, µs = "1773043625.876", "1773043625876", "1773043625876543"
	now := time.UnixMicro(1773043626126543)
	for _, c := range []struct {
		name   string
		values []string
		want   time.Duration
		ok     bool
	}{
		{"seconds", []string{s}, 250 * time.Millisecond, true},
		{"seconds and t=", []string{"t=" + s}, 250 * time.Millisecond, true},
		{"milliseconds", []string{ms}, 250 * time.Millisecond, true},
		{"milliseconds and t=", []string{"t=" + ms}, 250 * time.Millisecond, true},
		{"microseconds", []string{µs}, 250 * time.Millisecond, true},
		{"microseconds and t=", []string{"t=" + µs}, 250 * time.Millisecond, true},
		{"microseconds as seconds", []string{"1773043625.876543"}, 250 * time.Millisecond, true},
		{"microseconds as milliseconds", []string{"1773043625876.543"}, 250 * time.Millisecond, true},
		{"white space around", []string{" t=" + s + " "}, 250 * time.Millisecond, true},
		{"whole seconds", []string{"1773043625"}, 1126 * time.Millisecond, true},
		{"just now", []string{"t=1773043626126543"}, 0, true},

		{"5 s ahead", []string{"t=1773043631126543"}, 0, true},
		{"a year ahead", []string{"t=1804579626.126"}, 0, true},
		{"59 s ago", []string{"t=1773043567.126"}, 59 * time.Second, true},
		{"61 s ago", []string{"t=1773043565.126"}, 0, false},
		{"3 days ago", []string{"t=1772784426.126"}, 0, false},

		{"none", nil, 0, false},
		{"empty", []string{""}, 0, false},
		{"t= alone", []string{"t="}, 0, false},
		{"two headers", []string{s, s}, 0, false},
		{"a list", []string{s + ", " + s}, 0, false},
		{"a word", []string{"yesterday"}, 0, false},
		{"t=t=", []string{"t=t=" + s}, 0, false},
		{"another letter", []string{"s=" + s}, 0, false},
		{"a date", []string{"Mon, 09 Mar 2026 08:07:05 GMT"}, 0, false},
		{"minus", []string{"-" + ms}, 0, false},
		{"plus", []string{"+" + ms}, 0, false},
		{"exponent", []string{"1.773043625e9"}, 0, false},
		{"two dots", []string{"1773043625.876.543"}, 0, false},
		{"a dot and no more", []string{"1773043625."}, 0, false},
		{"NaN", []string{"NaN"}, 0, false},
		{"Inf", []string{"Inf"}, 0, false},
		{"hexadecimal", []string{"0x69ae7f29"}, 0, false},
		{"nanoseconds", []string{"1773043625876543210"}, 0, false},
		{"400 digits", []string{strings.Repeat("1", 400)}, 0, false},
		{"zero", []string{"0"}, 0, false},
	} {
		waited, ok := lab.RequestStart(http.Header{"X-Request-Start": c.values}, now)
		assert.Equal(t, c.ok, ok, c.name)
		assert.InDelta(t, c.want, waited, float64(time.Millisecond), c.name)
	}
}

// FuzzRequestStart has a client send any header: the wait is 0 to a minute.
func FuzzRequestStart(f *testing.F) {
	for _, value := range []string{"t=1773043625.876", "1773043625876", "1773043625876543", "t=", "99999999999999999", "1e9"} {
		f.Add(value)
	}
	now := time.UnixMicro(1773043626126543)
	f.Fuzz(func(t *testing.T, value string) {
		waited, ok := lab.RequestStart(http.Header{"X-Request-Start": {value}}, now)
		if waited < 0 || ok && waited > time.Minute {
			t.Errorf("%q is a wait of %v", value, waited)
		}
	})
}

const timeout = "X-Envoy-Expected-Rq-Timeout-Ms"

// A header is believed only if the source says so, and only if it makes sense.
func TestReadDeadline(t *testing.T) {
	header := lab.DeadlineSource{TimeoutHeader: timeout}
	both := lab.DeadlineSource{TimeoutHeader: timeout, RequestStart: true}
	assumed := lab.DeadlineSource{Assumed: 3 * time.Second}
	all := lab.DeadlineSource{TimeoutHeader: timeout, RequestStart: true, Assumed: 3 * time.Second}
	for _, c := range []struct {
		name    string
		source  lab.DeadlineSource
		timeout []string
		waited  time.Duration // told by X-Request-Start, unless 0
		want    time.Duration // from now, or 0 for no deadline
	}{
		{"nothing is believed", lab.DeadlineSource{}, []string{"1000"}, time.Second, 0},
		{"nothing is said", both, nil, 0, 0},
		{"the header", header, []string{"1500"}, 0, 1500 * time.Millisecond},
		{"the start is not believed", header, []string{"1500"}, 400 * time.Millisecond, 1500 * time.Millisecond},
		{"both", both, []string{"1500"}, 400 * time.Millisecond, 1100 * time.Millisecond},
		{"a start, but no patience to count from it", both, nil, 400 * time.Millisecond, 0},
		{"a patience, but no start", both, []string{"1500"}, 0, 1500 * time.Millisecond},
		{"over already", both, []string{"1000"}, 3 * time.Second, -2 * time.Second},
		{"assumed", assumed, []string{"1000"}, time.Second, 3 * time.Second},
		{"assumed, from the start on", all, nil, time.Second, 2 * time.Second},
		{"said, not assumed", all, []string{"1000"}, 0, time.Second},
		{"a start of days ago", both, []string{"1500"}, 72 * time.Hour, 1500 * time.Millisecond},

		{"zero is none", header, []string{"0"}, 0, 0},
		{"a fraction", header, []string{"1.5"}, 0, 0},
		{"minus", header, []string{"-1000"}, 0, 0},
		{"a unit", header, []string{"1s"}, 0, 0},
		{"empty", header, []string{""}, 0, 0},
		{"two headers", header, []string{"1000", "1000"}, 0, 0},
		{"a day", header, []string{"86400000"}, 0, 24 * time.Hour},
		{"more than a day", header, []string{"86400001"}, 0, 0},
		{"twenty nines", header, []string{strings.Repeat("9", 20)}, 0, 0},
		{"nonsense, and an assumption", all, []string{"soon"}, 0, 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
			r.Header[timeout] = c.timeout
			if c.waited > 0 {
				r.Header.Set("X-Request-Start", fmt.Sprintf("t=%d", time.Now().Add(-c.waited).UnixMicro()))
			}
			deadline, ok := lab.ReadDeadline(c.source)(r).Deadline()
			assert.Equal(t, c.want != 0, ok, c.name)
			if ok {
				assert.Equal(t, c.want, time.Until(deadline), c.name)
			}
		})
	}
}

// A deadline that is there already, and is earlier, stays.
func TestReadDeadlineKeepsAnEarlierOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		protected := lab.Protect(build(t, lab.Limits{Slots: 1}), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			deadline, ok := r.Context().Deadline()
			require.True(t, ok)
			assert.Equal(t, time.Second, time.Until(deadline))
		}), lab.ReadDeadline(lab.DeadlineSource{Assumed: time.Second}), lab.ReadDeadline(lab.DeadlineSource{Assumed: time.Minute}))
		protected.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	})
}
