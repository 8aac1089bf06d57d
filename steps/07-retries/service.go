package main

import (
	"context"
	"sync"
	"time"

	"example.com/sheddinglab/lab"
)

// A service does pretend work behind a controller, and notes who comes when.
type service struct {
	controller  *lab.Controller
	serviceTime time.Duration
	start       time.Time

	mu          sync.Mutex
	arrivals    []arrival
	asked, took time.Duration // of work
}

// An arrival is one attempt at the door of a service.
type arrival struct {
	at   time.Duration
	user int
}

func newService(limits lab.Limits, serviceTime time.Duration) (*service, error) {
	c, err := lab.NewController(limits)
	return &service{controller: c, serviceTime: serviceTime, start: time.Now()}, err
}

// do is an attempt in this process.
func (s *service) do(ctx context.Context, user int) error {
	s.arrive(user)
	return s.controller.Do(ctx, func() error { return s.work(ctx) })
}

func (s *service) arrive(user int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrivals = append(s.arrivals, arrival{time.Since(s.start), user})
}

func (s *service) work(ctx context.Context) error {
	begin := time.Now()
	if err := lab.PretendWork(ctx, s.serviceTime); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked += s.serviceTime
	s.took += time.Since(begin)
	return nil
}

// workSlower is by what share the work took longer than asked.
func (s *service) workSlower() float64 {
	if s.asked == 0 {
		return 0
	}
	return s.took.Seconds()/s.asked.Seconds() - 1
}
