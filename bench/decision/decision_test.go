package decision

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
)

// The limits of the scenarios. A test shows that each scenario is what it is called.
var (
	roomy  = lab.Limits{Slots: 1000, MaxWaiting: 1, MaxWait: time.Minute, RetryAfter: time.Second}
	noLine = lab.Limits{Slots: 1, RetryAfter: time.Second}
	line   = lab.Limits{Slots: 1, MaxWaiting: 1, MaxWait: time.Minute}
	brief  = lab.Limits{Slots: 1, MaxWaiting: lab.NoLimit, MaxWait: time.Millisecond}
)

// each runs a benchmark for each gatekeeper, with a context that can end, as a
// request has.
func each(b *testing.B, waits bool, bench func(*testing.B, context.Context, gatekeeper)) {
	for _, k := range gatekeepers {
		if waits && k.cannotWait {
			continue
		}
		b.Run("peer="+k.name, func(b *testing.B) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			b.ReportAllocs()
			bench(b, ctx, k)
		})
	}
}

// doer is the lab by its other door.
func doer(b *testing.B, bench func(b *testing.B, ctx context.Context, c *lab.Controller)) {
	b.Run("peer=lab.Do", func(b *testing.B) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		b.ReportAllocs()
		bench(b, ctx, must(lab.NewController(roomy)))
	})
}

func nothing() error { return nil }

// A request finds a free slot, and gives it back.
func BenchmarkAdmit(b *testing.B) {
	each(b, false, func(b *testing.B, ctx context.Context, k gatekeeper) {
		g := k.new(roomy)
		for b.Loop() {
			g.Acquire(ctx)
			g.Release()
		}
	})
	doer(b, func(b *testing.B, ctx context.Context, c *lab.Controller) {
		for b.Loop() {
			c.Do(ctx, nothing)
		}
	})
}

// The same by as many as there are processors.
func BenchmarkAdmitParallel(b *testing.B) {
	each(b, false, func(b *testing.B, ctx context.Context, k gatekeeper) {
		g := k.new(roomy)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				g.Acquire(ctx)
				g.Release()
			}
		})
	})
	doer(b, func(b *testing.B, ctx context.Context, c *lab.Controller) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				c.Do(ctx, nothing)
			}
		})
	})
}

// A request finds every slot taken, and nowhere to wait.
func BenchmarkRefuse(b *testing.B) {
	each(b, false, func(b *testing.B, ctx context.Context, k gatekeeper) {
		g := full(ctx, k)
		for b.Loop() {
			g.Acquire(ctx)
		}
	})
}

func BenchmarkRefuseParallel(b *testing.B) {
	each(b, false, func(b *testing.B, ctx context.Context, k gatekeeper) {
		g := full(ctx, k)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				g.Acquire(ctx)
			}
		})
	})
}

// full is a gate whose one slot is taken.
func full(ctx context.Context, k gatekeeper) gate {
	g := k.new(noLine)
	if err := g.Acquire(ctx); err != nil {
		panic(err)
	}
	return g
}

// A request waits until another one gives its slot back. Two goroutines wake each
// other in turn, so one operation is two waits. On one processor whoever is woken
// runs only when the other one waits: every wait is a real one.
func BenchmarkWait(b *testing.B) {
	each(b, true, func(b *testing.B, ctx context.Context, k gatekeeper) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		there, back := k.new(line), k.new(line)
		there.Acquire(ctx)
		back.Acquire(ctx)
		var partner sync.WaitGroup
		var stop atomic.Bool
		partner.Go(func() {
			for !stop.Load() {
				there.Acquire(ctx)
				back.Release()
			}
		})
		for b.Loop() {
			there.Release()
			back.Acquire(ctx)
		}
		stop.Store(true)
		there.Release()
		partner.Wait()
	})
}

// A request waits in vain. So many do at once that the processors are busy: a
// single one would do nothing but sleep. There is no b.Loop for that.
func BenchmarkTimeOut(b *testing.B) {
	const crowd = 5000
	each(b, true, func(b *testing.B, ctx context.Context, k gatekeeper) {
		g := k.new(brief)
		g.Acquire(ctx)
		var left atomic.Int64
		left.Store(int64(b.N))
		var all sync.WaitGroup
		b.ResetTimer()
		for range crowd {
			all.Go(func() {
				for left.Add(-1) >= 0 {
					g.Acquire(ctx)
				}
			})
		}
		all.Wait()
	})
}

// The whole call of a handler: let in, to do nothing.
func BenchmarkHandlerAdmit(b *testing.B) {
	handlers(b, func(b *testing.B, m middlewareMaker) {
		h := m.new(roomy, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		call(b, h)
	})
}

func BenchmarkHandlerAdmitParallel(b *testing.B) {
	handlers(b, func(b *testing.B, m middlewareMaker) {
		h := m.new(roomy, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		callParallel(b, h)
	})
}

// The whole call of a handler: refused, answer included.
func BenchmarkHandlerRefuse(b *testing.B) {
	handlers(b, func(b *testing.B, m middlewareMaker) { call(b, fullHouse(b, m)) })
}

func handlers(b *testing.B, bench func(*testing.B, middlewareMaker)) {
	for _, m := range middlewares {
		b.Run("peer="+m.name, func(b *testing.B) {
			b.ReportAllocs()
			bench(b, m)
		})
	}
}

func call(b *testing.B, h http.Handler) {
	w, r := nowhere{}, request(b.Context())
	for b.Loop() {
		h.ServeHTTP(w, r)
	}
}

func callParallel(b *testing.B, h http.Handler) {
	b.RunParallel(func(pb *testing.PB) {
		w, r := nowhere{}, request(b.Context())
		for pb.Next() {
			h.ServeHTTP(w, r)
		}
	})
}

func request(ctx context.Context) *http.Request {
	return httptest.NewRequestWithContext(ctx, "GET", "/work", nil)
}

// fullHouse is a handler whose one slot is taken until the test ends.
func fullHouse(tb testing.TB, m middlewareMaker) http.Handler {
	began, end := make(chan struct{}), make(chan struct{})
	h := m.new(noLine, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(began)
		<-end
	}))
	var holder sync.WaitGroup
	holder.Go(func() { h.ServeHTTP(nowhere{}, request(context.Background())) })
	<-began
	tb.Cleanup(func() {
		close(end)
		holder.Wait()
	})
	return h
}

// nowhere is a ResponseWriter that costs nothing itself.
type nowhere http.Header

func (n nowhere) Header() http.Header               { return http.Header(n) }
func (n nowhere) WriteHeader(int)                   {}
func (n nowhere) Write(b []byte) (int, error)       { return len(b), nil }
func (n nowhere) WriteString(s string) (int, error) { return len(s), nil }

var _ io.StringWriter = nowhere{}
