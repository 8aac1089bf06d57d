package main

import (
	"fmt"
	"time"

	"example.com/sheddinglab/lab"
)

// A rate is one way to count what was finished.
type rate struct {
	Count     string  `json:"count"`
	Finished  int     `json:"finished"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"rate_rps"`
}

func newRate(count string, finished int, d time.Duration) rate {
	return rate{count, finished, d.Seconds(), float64(finished) / d.Seconds()}
}

func (r rate) cells() []string {
	return []string{r.Count, fmt.Sprint(r.Finished), fmt.Sprintf("%.3f", r.Seconds), fmt.Sprintf("%.1f", r.PerSecond)}
}

func ms(d time.Duration) float64 { return float64(lab.ToMillis(d)) }
