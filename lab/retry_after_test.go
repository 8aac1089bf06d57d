package lab

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const forEver = time.Duration(math.MaxInt64)

// Cases R1 and R2. The clock is at 0.4 s past a full second, as clocks are.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, time.March, 9, 8, 7, 6, 400_000_000, time.UTC)
	for _, c := range []struct {
		name   string
		values []string
		want   time.Duration
	}{
		{"none", nil, 0},
		{"2", []string{"2"}, 2 * time.Second},
		{"white space around", []string{" \t2 "}, 2 * time.Second},
		{"leading zeros", []string{"007"}, 7 * time.Second},
		{"0", []string{"0"}, 0},

		{"date", []string{"Mon, 09 Mar 2026 08:07:09 GMT"}, 3 * time.Second},
		{"date of RFC 850", []string{"Monday, 09-Mar-26 08:07:09 GMT"}, 3 * time.Second},
		{"date of asctime", []string{"Mon Mar  9 08:07:09 2026"}, 3 * time.Second},
		{"date and white space", []string{" Mon, 09 Mar 2026 08:07:09 GMT "}, 3 * time.Second},
		{"date 0.6 s ahead", []string{"Mon, 09 Mar 2026 08:07:07 GMT"}, time.Second},
		{"date 0.4 s ago", []string{"Mon, 09 Mar 2026 08:07:06 GMT"}, 0},
		{"date an hour ago", []string{"Mon, 09 Mar 2026 07:07:06 GMT"}, 0},
		{"date in 2199", []string{"Thu, 03 Jan 2199 00:00:00 GMT"}, 5453711574 * time.Second},
		{"date in 9999", []string{"Fri, 31 Dec 9999 23:59:59 GMT"}, forEver},

		{"fraction", []string{"1.5"}, 0},
		{"plus", []string{"+3"}, 0},
		{"minus", []string{"-5"}, 0},
		{"exponent", []string{"1e3"}, 0},
		{"hexadecimal", []string{"0x10"}, 0},
		{"underscore", []string{"1_000"}, 0},
		{"unit", []string{"3s"}, 0},
		{"white space inside", []string{"1 2"}, 0},
		{"list", []string{"1, 2"}, 0},
		{"other digits", []string{"\u0663"}, 0},
		{"empty", []string{""}, 0},
		{"blank", []string{" "}, 0},
		{"word", []string{"abc"}, 0},
		{"two headers", []string{"1", "2"}, 0},
		{"two headers that agree", []string{"2", "2"}, 0},

		{"the most that fits", []string{"9223372036"}, 9223372036 * time.Second},
		{"one more", []string{"9223372037"}, forEver},
		{"the most that fits in 64 bits", []string{"9223372036854775807"}, forEver},
		{"twenty nines", []string{strings.Repeat("9", 20)}, forEver},
	} {
		h := http.Header{"Retry-After": c.values}
		assert.Equal(t, c.want, RetryAfter(h, now), c.name)
	}
}

func TestRetryAfterDateOnTheSecond(t *testing.T) {
	now := time.Date(2026, time.March, 9, 8, 7, 6, 0, time.UTC)
	h := http.Header{"Retry-After": {"Mon, 09 Mar 2026 08:07:09 GMT"}}
	assert.Equal(t, 3*time.Second, RetryAfter(h, now), "no second more than it says")
}

// FuzzRetryAfter has a service send any header, and a client draw any random
// number: the client gives up, or waits at least as long as it was asked to, more
// than 0, and at most Cap longer.
func FuzzRetryAfter(f *testing.F) {
	for _, value := range []string{"2", " 2 ", "", "0", "1.5", "9223372037", "Thu, 03 Jan 2199 00:00:00 GMT", "Sun Nov  6 08:49:37 1994"} {
		f.Add(value, int64(1_773_043_626), 1, 0.5)
	}
	f.Fuzz(func(t *testing.T, value string, unix int64, try int, random float64) {
		if !(random >= 0 && random < 1) {
			return
		}
		asked := RetryAfter(http.Header{"Retry-After": {value}}, time.Unix(unix, 0))
		require.GreaterOrEqual(t, asked, time.Duration(0))
		if digits := strings.Trim(value, " \t"); isDigits(digits) && strings.Trim(digits, "0") != "" {
			require.GreaterOrEqual(t, asked, time.Second, "a whole number of seconds above 0")
		}

		const longest = 10 * time.Second
		r := Retry{Tries: math.MaxInt, Cap: longest, Budget: new(RetryBudget), Random: func() float64 { return random }}
		wait, again := r.next(t.Context(), try, asked)
		require.Equal(t, asked <= longest && try < math.MaxInt, again)
		if again {
			require.Greater(t, wait, asked)
			require.LessOrEqual(t, wait, asked+longest)
		}
	})
}
