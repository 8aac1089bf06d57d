package generator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"example.com/sheddinglab/bench/process"
	"example.com/sheddinglab/lab"
)

// A job is what the process of a peer is told.
type job struct {
	Peer     string
	Rate     int
	Duration time.Duration
	URL      string // of a server, or "" for a target in the process
}

// A result is what became of a load, on the side of the peer.
type result struct {
	Arrived       int     // at a target in the process
	P50, P99, Max float64 // lateness in milliseconds
	Held          bool    // as the lab judges its runs
}

// connections bounds those to the server. Without a bound, net/http dials for each
// request that finds no idle connection. A dial takes longer than a request here, so
// a short stall becomes a storm of thousands of dials, which feeds itself.
const connections = 256

// send is the process of a peer: it does the job and reports the result.
func send(text string, stdout io.Writer) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	r, err := j.do()
	if err != nil {
		return err
	}
	return process.Report(stdout, r)
}

func (j job) do() (result, error) {
	within := &arrivals{window: j.Duration}
	watch := &stopwatch{next: within}
	l := load{
		OpenLoop: lab.OpenLoop{Rate: float64(j.Rate), Duration: j.Duration, Patience: time.Second},
		URL:      "http://target/work",
		Client:   &http.Client{Transport: watch},
	}
	if j.URL != "" {
		transport := &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections}
		defer transport.CloseIdleConnections()
		l.URL, watch.next = j.URL+"/work", transport
	}
	by, err := peers[j.Peer](l)
	if err != nil {
		return result{}, err
	}
	samples := watch.samples(l, by)
	if len(samples) == 0 {
		return result{}, fmt.Errorf("%s sent nothing", j.Peer)
	}
	s := lab.Summarize(j.Peer, l.OpenLoop, 0, samples)
	r := result{Arrived: int(within.n.Load()), P99: float64(s.LateP99), Max: float64(s.LateMax)}
	if by.samples != nil { // the lab judges by its own
		s = lab.Summarize(j.Peer, l.OpenLoop, 0, by.samples)
	}
	var examiner lab.Step
	examiner.Examine(s)
	examiner.Add("sent", true, "", "") // to hold, unless there is a doubt
	_, verdict := examiner.Results()
	r.Held = verdict != lab.Inconclusive

	slices.SortFunc(samples, func(a, b lab.Sample) int { return cmp.Compare(a.Late, b.Late) })
	r.P50 = float64(lab.ToMillis(samples[(len(samples)-1)/2].Late))
	return r, nil
}
