package lab

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"
)

// Millis is a time in milliseconds. NaN stands for "there is none", such as the
// median of no answers: it prints as "-" and is null in JSON.
type Millis float64

// ToMillis is d in milliseconds.
func ToMillis(d time.Duration) Millis { return Millis(float64(d) / float64(time.Millisecond)) }

func (m Millis) String() string {
	if math.IsNaN(float64(m)) {
		return "-"
	}
	return strconv.FormatFloat(float64(m), 'f', 0, 64)
}

// MarshalJSON writes m to the microsecond.
func (m Millis) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(m)) {
		return []byte("null"), nil
	}
	return json.Marshal(math.Round(float64(m)*1000) / 1000)
}

// A Summary is one run, counted. Offered = OK + Shed + Timeout + Failed +
// NotSent, always.
type Summary struct {
	Policy  string `json:"policy"`
	Offered int    `json:"offered"` // requests in the schedule
	OK      int    `json:"ok"`
	Shed    int    `json:"shed"`
	Timeout int    `json:"timeout"`
	Failed  int    `json:"error"`
	NotSent int    `json:"not_sent"`

	Goodput float64 `json:"goodput_rps"`        // OK per second in which requests came
	Steady  float64 `json:"steady_goodput_rps"` // the same, for requests due at or after the warm-up
	P50     Millis  `json:"p50_ms"`             // of the OK, from due to answer
	P99     Millis  `json:"p99_ms"`
	ShedP99 Millis  `json:"shed_p99_ms"` // of the Shed, from due to refusal

	Work     int `json:"work"`      // requests the service finished
	Wasted   int `json:"wasted"`    // those of them whose client had given up
	PeakLine int `json:"peak_line"` // set by [Trial.Run]

	Line []int `json:"line,omitempty"` // its length at the instants of [Watch]; set by [Trial.Run], if [Trial.WatchLine]

	// By what share the work took longer than asked, as it does when the
	// processor is busy with something else. Set by [Trial.Run].
	WorkSlower float64 `json:"work_slower"`

	LateP99  Millis  `json:"late_p99_ms"` // of the sent, from due to send
	LateMax  Millis  `json:"late_max_ms"`
	Late     int     `json:"late"`     // sent more than [Summary.LateBound] late
	SentRate float64 `json:"sent_rps"` // requests per second really sent

	BySecond []Second `json:"by_second"`

	load     OpenLoop
	patience time.Duration // of the clients, on average
	samples  []Sample
}

// A Second counts the requests due in one second of a run.
type Second struct {
	Second  int `json:"second"`
	Arrived int `json:"arrived"`
	OK      int `json:"ok"` // answered in time, in whatever second
}

// Summarize counts the samples of one run of load, in any order. Goodput is per second of the
// time in which requests came, which a run that was cut short has less of.
func Summarize(policy string, load OpenLoop, warmUp time.Duration, samples []Sample) Summary {
	s := Summary{Policy: policy, Offered: len(samples), load: load, patience: load.meanPatience(), samples: samples}
	var latency, refusal, late []time.Duration
	var lastSent time.Duration
	window := load.Duration
	for _, x := range samples {
		switch x.Outcome {
		case OK:
			s.OK++
			latency = append(latency, x.Latency)
		case Shed:
			s.Shed++
			refusal = append(refusal, x.Latency)
		case Timeout:
			s.Timeout++
		case Failed:
			s.Failed++
		case NotSent:
			s.NotSent++
			window = min(window, x.Due)
			continue
		}
		if x.Done {
			s.Work++
			if x.Outcome != OK {
				s.Wasted++
			}
		}
		late = append(late, x.Late)
		if x.Late > s.LateBound() {
			s.Late++
		}
		lastSent = max(lastSent, x.Due+x.Late)
	}
	s.Goodput = perSecond(s.OK, window)
	_, steady := s.Between(warmUp, load.Duration)
	s.Steady = perSecond(steady, window-warmUp)
	s.P50, s.P99 = percentile(latency, 50), percentile(latency, 99)
	s.ShedP99 = percentile(refusal, 99)
	s.LateP99, s.LateMax = percentile(late, 99), percentile(late, 100)
	s.SentRate = perSecond(len(late), max(window, lastSent))
	s.BySecond = bySecond(samples)
	return s
}

// Between counts the requests due at or after from and before to: those that
// arrived, and those of them that were answered in time.
func (s Summary) Between(from, to time.Duration) (arrived, ok int) {
	for _, x := range s.samples {
		if x.Due < from || x.Due >= to || x.Outcome == NotSent {
			continue
		}
		arrived++
		if x.Outcome == OK {
			ok++
		}
	}
	return arrived, ok
}

// Collapse, for samples in order of their due instants, returns the due instant of the first request of the run from which on
// none was answered in time, and false if the last one that was sent was answered,
// or nothing was sent. A service without limits that has begun to answer too late
// goes on doing so as long as the load lasts.
func (s Summary) Collapse() (due time.Duration, ok bool) {
	for _, x := range slices.Backward(s.samples) {
		switch x.Outcome {
		case NotSent:
			continue
		case OK:
			return due, ok
		}
		due, ok = x.Due, true
	}
	return due, ok
}

// LateBound is how late the 99th percentile of the sends may be before the run
// says more about the machine than about the service: 1 % of the clients' patience, on
// average, and at least 2 ms.
func (s Summary) LateBound() time.Duration {
	return max(2*time.Millisecond, s.patience/100)
}

// Complete reports whether every request was sent.
func (s Summary) Complete() bool { return s.NotSent == 0 }

func bySecond(samples []Sample) []Second {
	var seconds []Second
	for _, x := range samples {
		if x.Outcome == NotSent {
			continue
		}
		second := max(0, int(x.Due/time.Second))
		for i := len(seconds); i <= second; i++ {
			seconds = append(seconds, Second{Second: i})
		}
		seconds[second].Arrived++
		if x.Outcome == OK {
			seconds[second].OK++
		}
	}
	return seconds
}

// percentile is the nearest-rank percentile: the smallest of the values that at
// least p percent of them do not exceed. It sorts them.
func percentile(values []time.Duration, p int) Millis {
	if len(values) == 0 {
		return Millis(math.NaN())
	}
	slices.Sort(values)
	rank := (len(values)*p + 99) / 100
	return ToMillis(values[max(rank, 1)-1])
}

// perSecond is n per second of d, and 0 when there was no such time.
func perSecond(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}
