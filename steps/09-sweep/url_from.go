package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"slices"
	"time"

	"example.com/sheddinglab/lab"
)

const aboutFrom = `It counts results of vegeta, a load generator that can run on many machines at
once: one row for each attack name, with the results of all files together. On
every machine, with clocks that agree:

  vegeta attack -rate 400 -duration 10s -name 2x -targets targets.txt |
      vegeta encode -to csv > 2x-$HOSTNAME.csv

Give each load a name of its own, then collect the files:

  go run ./steps/09-sweep -capacity 800 -from 1x-*.csv 2x-*.csv 4x-*.csv

JSON of vegeta encode does too. The rate of a load is what was sent, from its first
request to its last. vegeta counts latency from the send, not from when a request
was due: where it fell behind its own schedule, a p99 here is too low.
`

// maxHits bounds what is read, which takes about 100 bytes for each.
const maxHits = 10_000_000

// maxSpan bounds an attack. Longer ones are several of one name, or clocks apart.
const maxSpan = 24 * time.Hour

// unknown is what vegeta does not write down.
var unknown = lab.Millis(math.NaN())

// sweepFiles is the sweep after the fact.
func sweepFiles(args []string, stdout, stderr io.Writer) error {
	step := lab.NewStep(9, "sweep", "what did the service do with more than it can serve?")
	step.Mode("from")
	step.About(aboutFrom)
	files := step.Files("from", "a `FILE` of vegeta encode; more of them may follow after all flags")
	capacity := step.Float("capacity", 0, "requests per second that the service can finish (default the highest goodput)")
	patience := step.Millis("patience", time.Second, "how long a client waits for its answer")
	warmUp := step.Seconds("warm-up", time.Second, "how much of the beginning of each attack is not counted")
	asCSV := step.CSV()
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	attacks, err := readAttacks(*files)
	if err != nil {
		return lab.Usage(err)
	}
	rows, err := countAttacks(attacks, *patience, *warmUp)
	if err != nil {
		return lab.Usage(err)
	}
	s := swept{*capacity, "as given with -capacity", rows, 0, true}
	if s.capacity == 0 {
		s.capacity, s.how = s.highest(), "the highest goodput here"
	}
	for i := range rows {
		if s.capacity > 0 {
			rows[i].Multiple = rows[i].Rate / s.capacity
		}
		step.Row(rows[i])
	}
	if *asCSV {
		if err := writeCSV(stdout, rows); err != nil {
			return err
		}
	}
	printRows(step, rows)
	step.Printf("How late the requests were sent is not in these files.")
	return step.End(context.Background(), conclude(step, s))
}

// readAttacks reads all files and sorts their hits by the name of the attack.
func readAttacks(files []string) (map[string][]lab.Hit, error) {
	attacks, n := map[string][]lab.Hit{}, 0
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("-from: %w", err)
		}
		err = lab.ReadVegeta(f, func(h lab.Hit) error {
			if n++; n > maxHits {
				return fmt.Errorf("more than %d results in all files together", maxHits)
			}
			h.Header = onlyRetryAfter(h.Header) // the others take more room than all the rest
			attacks[h.Attack] = append(attacks[h.Attack], h)
			return nil
		})
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("-from %s: %w", name, err)
		}
	}
	return attacks, nil
}

func onlyRetryAfter(h http.Header) http.Header {
	values := h.Values("Retry-After")
	if len(values) == 0 {
		return nil
	}
	return http.Header{"Retry-After": values}
}

// countAttacks makes a row of each attack, the slowest first.
func countAttacks(attacks map[string][]lab.Hit, patience, warmUp time.Duration) ([]urlRow, error) {
	var rows []urlRow
	for name, hits := range attacks {
		slices.SortFunc(hits, func(a, b lab.Hit) int { return a.Sent.Compare(b.Sent) })
		start, n := hits[0].Sent, len(hits)
		span := hits[n-1].Sent.Sub(start)
		if span <= warmUp || span > maxSpan {
			return nil, fmt.Errorf("-from: attack %q went on for %v, want more than -warm-up, which is %v, and at most %v",
				name, span, warmUp, maxSpan)
		}
		samples := make([]lab.Sample, n)
		for i, h := range hits {
			samples[i] = h.Sample(start, patience)
		}
		// n requests have n - 1 gaps between them, and the last one has a gap too.
		rate := float64(n-1) / span.Seconds()
		load := lab.OpenLoop{Rate: rate, Duration: lab.Seconds(float64(n) / rate), Patience: patience}
		r := newURLRow(load, warmUp, samples)
		r.Policy, r.Rate = cmp.Or(name, "(no name)"), rate
		r.LateP99, r.LateMax = unknown, unknown
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return nil, errors.New("-from: there is no result in the files")
	}
	slices.SortFunc(rows, func(a, b urlRow) int { return cmp.Compare(a.Rate, b.Rate) })
	return rows, nil
}
