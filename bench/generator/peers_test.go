package generator

import (
	"context"
	"net/http"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"example.com/sheddinglab/lab"
)

// A load is what each of the peers is asked to send.
type load struct {
	lab.OpenLoop
	URL    string
	Client *http.Client
}

// A sending is what a peer says of its load.
type sending struct {
	start    time.Time
	firstDue int          // the first request is due after that many intervals, by the peer's own schedule
	samples  []lab.Sample // of the lab alone
}

// peers send a load, and return when it has been sent.
var peers = map[string]func(load) (sending, error){
	"lab":    openLoop,
	"vegeta": attack,
	"sleep":  sleepLoop,
}

func openLoop(l load) (s sending, err error) {
	l.OnSend = func(i int) {
		if i == 0 {
			s.start = time.Now()
		}
	}
	target := &lab.Target{URL: l.URL, Client: l.Client}
	s.samples, err = l.Run(context.Background(), target.Send)
	return s, err
}

func attack(l load) (sending, error) {
	attacker := vegeta.NewAttacker(vegeta.Client(l.Client))
	target := vegeta.NewStaticTargeter(vegeta.Target{Method: http.MethodGet, URL: l.URL})
	pacer := vegeta.ConstantPacer{Freq: int(l.Rate), Per: time.Second}
	start := time.Now()
	for range attacker.Attack(target, pacer, l.Duration, "") {
	}
	return sending{start: start, firstDue: 1}, nil
}

// sleepLoop is what one writes first: send, sleep for the interval, and again.
func sleepLoop(l load) (sending, error) {
	target := &lab.Target{URL: l.URL, Client: l.Client}
	interval := lab.Seconds(1 / l.Rate)
	start := time.Now()
	for time.Since(start) < l.Duration {
		go target.Send(context.Background())
		time.Sleep(interval)
	}
	return sending{start: start}, nil
}
