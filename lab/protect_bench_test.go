package lab

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// constant503 is a handler that refuses everybody, with the bytes of Protect.
func constant503(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	io.WriteString(w, `{"error":"overloaded","reason":"line_full"}`+"\n")
}

// fullHouse is Protect with its one slot taken.
func fullHouse(tb testing.TB) http.Handler {
	c, err := NewController(Limits{Slots: 1})
	require.NoError(tb, err)
	require.NoError(tb, c.Acquire(context.Background()))
	return Protect(c, http.NotFoundHandler())
}

// nowhere is a ResponseWriter that costs nothing itself.
type nowhere http.Header

func (n nowhere) Header() http.Header               { return http.Header(n) }
func (n nowhere) WriteHeader(int)                   {}
func (n nowhere) Write(b []byte) (int, error)       { return len(b), nil }
func (n nowhere) WriteString(s string) (int, error) { return len(s), nil }

// Protect allocates nothing: not to let a request in, and no more to refuse one than
// any handler does that writes a 503.
func TestProtectAllocations(t *testing.T) {
	allocations := func(h http.Handler) float64 {
		r := httptest.NewRequest("GET", "/work", nil)
		w := nowhere{}
		return testing.AllocsPerRun(1000, func() { h.ServeHTTP(w, r) })
	}
	constant := allocations(http.HandlerFunc(constant503))
	protected := allocations(fullHouse(t))
	t.Logf("%v allocations by a constant 503, %v by Protect", constant, protected)
	assert.LessOrEqual(t, protected, constant)

	c, err := NewController(Limits{Slots: 1})
	require.NoError(t, err)
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	assert.Zero(t, allocations(Protect(c, nothing)), "to let one in")
}

func BenchmarkRefusal(b *testing.B) {
	for name, h := range map[string]http.Handler{"constant": http.HandlerFunc(constant503), "Protect": fullHouse(b)} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest("GET", "/work", nil)
			w := nowhere{}
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(w, r)
			}
		})
	}
}
