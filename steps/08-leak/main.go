package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

func main() {
	for _, n := range []int{8, 12, 16, 24} {
		one(n)
	}
}
func one(n int) {
	vs := append([]broken.Variant{{Name: "Controller", New: func(l lab.Limits) (labtest.Controller, error) { return lab.NewController(l) }}}, broken.All...)
	bs := labtest.Behaviours()
	gate, _ := lab.NewController(lab.Limits{Slots: n, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit})
	var wg sync.WaitGroup
	var mu sync.Mutex
	type d struct {
		s string
		t time.Duration
	}
	var ds []d
	marks := map[string]bool{}
	stop := make(chan bool)
	var late []time.Duration
	done := make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			b := time.Now()
			time.Sleep(time.Millisecond)
			late = append(late, time.Since(b)-time.Millisecond)
		}
	}()
	start := time.Now()
	for _, v := range vs {
		for _, b := range bs {
			gate.Acquire(context.Background())
			wg.Go(func() {
				defer gate.Release()
				t := time.Now()
				err := b.Check(v.New)
				mu.Lock()
				ds = append(ds, d{v.Name + " " + b.String(), time.Since(t)})
				if err != nil {
					marks[fmt.Sprint(v.Name, b.Number)] = true
				if v.Name == "Controller" {fmt.Println(err)}
				}
				mu.Unlock()
			})
		}
	}
	wg.Wait()
	total := time.Since(start)
	close(stop)
	<-done
	slices.Sort(late)
	slices.SortFunc(ds, func(a, b d) int { return int(b.t - a.t) })
	fmt.Println(n, total, "marks", len(marks), "late", len(late), late[len(late)/2], late[len(late)*99/100], late[len(late)-1])
	for _, x := range ds[:6] {
		fmt.Println("   ", x.t, x.s)
	}
}
