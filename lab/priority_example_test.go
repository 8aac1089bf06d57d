package lab_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/sheddinglab/lab"
)

func ExamplePriorityController() {
	const capacity = 80 // requests per second
	places := func(wait time.Duration) int { return lab.LittlesLaw(capacity, wait) }
	p, err := lab.NewPriorityController(
		lab.Limits{Slots: 4, MaxWaiting: places(500 * time.Millisecond), MaxWait: 600 * time.Millisecond},
		lab.Shares{
			lab.CriticalPlus:  places(500 * time.Millisecond),
			lab.Critical:      places(400 * time.Millisecond),
			lab.SheddablePlus: places(200 * time.Millisecond),
			lab.Sheddable:     places(100 * time.Millisecond),
		})
	if err != nil {
		panic(err)
	}

	classOf := func(r *http.Request) lab.Criticality {
		switch r.URL.Path {
		case "/health": // belongs outside of Protect; where it cannot be, it comes first
			return lab.CriticalPlus
		case "/checkout":
			return lab.CriticalPlus
		case "/recommendations":
			return lab.SheddablePlus
		case "/batch":
			return lab.Sheddable
		}
		return lab.Critical
	}
	shop := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println(r.URL.Path, "is", lab.CriticalityOf(r.Context()))
	})
	handler := lab.Protect(p, shop, lab.Classify(classOf))

	for _, path := range []string{"/checkout", "/batch", "/"} {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	// Output:
	// /checkout is critical_plus
	// /batch is sheddable
	// / is critical
}

func ExamplePriorityController_Classes() {
	gate, err := lab.NewPriorityController(lab.Limits{Slots: 1}, lab.Shares{})
	if err != nil {
		panic(err)
	}
	service := lab.NewService(gate, noWork, lab.TrustCriticalityHeader)
	ask := func(path, class string) (body string) {
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set(lab.CriticalityHeader, class)
		w := httptest.NewRecorder()
		service.ServeHTTP(w, r)
		return w.Body.String()
	}
	fmt.Print(ask("/work", "critical_plus"))
	gate.Do(context.Background(), func() error { // it takes the only slot
		fmt.Print(ask("/work", "sheddable"))
		return nil
	})
	var stats lab.ServiceStats
	if err := json.Unmarshal([]byte(ask("/stats", "")), &stats); err != nil {
		panic(err)
	}
	for _, class := range lab.Criticalities() {
		fmt.Printf("%v: %+v\n", class, stats.Classes[class])
	}
	// Output:
	// {"result":"done"}
	// {"error":"overloaded","reason":"line_full"}
	// critical_plus: {Admitted:1 ShedLineFull:0 ShedWaitedTooLong:0 Gone:0}
	// critical: {Admitted:1 ShedLineFull:0 ShedWaitedTooLong:0 Gone:0}
	// sheddable_plus: {Admitted:0 ShedLineFull:0 ShedWaitedTooLong:0 Gone:0}
	// sheddable: {Admitted:0 ShedLineFull:1 ShedWaitedTooLong:0 Gone:0}
}
