package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/sheddinglab/lab"
)

// far goes on where the sweep ends, over HTTP: what a refusal costs is too little to
// be seen at four times the capacity.
func far(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return farFrom(ctx, args, stdout, stderr, launchChild)
}

// onTheWay is how many refusals may be on their way at once. They take a fraction of a
// millisecond each.
const onTheWay = 256

// claimed is the multiple up to which the plateau is claimed to go. How much further
// it goes depends on the machine.
const claimed = 16

func farFrom(ctx context.Context, args []string, stdout, stderr io.Writer, launch launcher) error {
	step := lab.NewStep(9, "sweep", "how far does the plateau go over HTTP, and who ends it?")
	step.Mode("far")
	step.Bool("far", "go on over HTTP until the generator or the server is the bottleneck")
	set := step.Settings(3 * time.Second)
	budget := step.Millis("budget", 500*time.Millisecond, "wait in line that gives the line its length, as in step 4")
	maxWait := step.Millis("max-wait", 300*time.Millisecond, "longest wait in line, as in step 5")
	upTo := step.Float("up-to", 256, "largest load, in multiples of the capacity")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	if *upTo < 1 {
		return lab.Usage(fmt.Errorf("-up-to is %g, want at least 1: the first load is the capacity", *upTo))
	}
	if err := farLoad(set, *upTo).Validate(); err != nil {
		return lab.Usage(err)
	}
	limits := bounded(set, *budget, *maxWait)
	connections := limits.Slots + limits.MaxWaiting + onTheWay
	if have := lab.MaxDescriptors(); connections+100 > have {
		return lab.Usage(fmt.Errorf("%d slots and a line of %d take %d connections, and this process may have %d: "+
			"raise the limit (ulimit -n), or lower -slots or -budget", limits.Slots, limits.MaxWaiting, connections, have))
	}
	step.Printf("Each load has a server of its own, with a line of %d and a wait limit of %v. Connections are kept, "+
		"so that this is about refusals and not about handshakes.", limits.MaxWaiting, limits.MaxWait)
	if min(*budget, *maxWait)+set.ServiceTime >= set.ClientTimeout {
		step.Doubt("the claims are about limits that leave time for the work")
	}
	doubtShort(step, set)

	server := []string{fmt.Sprint("-slots=", set.Slots), fmt.Sprint("-service-time=", set.ServiceTime),
		fmt.Sprint("-max-waiting=", limits.MaxWaiting), fmt.Sprint("-max-wait=", limits.MaxWait)}
	var rows []farRow
	for x := 1.0; x <= *upTo; x *= 4 {
		stopProgress := step.Progress(set.Duration)
		r, err := tryFar(ctx, launch, server, connections, set, x)
		stopProgress()
		if ctx.Err() != nil && r.Sent == 0 {
			break
		}
		if err != nil {
			return err
		}
		rows = append(rows, r)
		step.Row(r)
		if ctx.Err() != nil || r.BoundBy != "" {
			break
		}
	}
	if len(rows) > 0 {
		flat := reportFar(step, set, rows, ctx.Err() == nil)
		step.KeyFigure("the plateau goes to %gx the capacity", flat)
	}
	return step.End(ctx, "go run ./steps/09-sweep -url http://127.0.0.1:8080/work, with a service of your own there")
}

// A farRow is what became of one load over HTTP. All from Goodput on is nil if the
// generator was the bottleneck: a load that was not sent says nothing of the server.
type farRow struct {
	Multiple float64    `json:"multiple"`
	Asked    float64    `json:"asked_rps"`
	Sent     float64    `json:"sent_rps"`
	LateP99  lab.Millis `json:"late_p99_ms"`
	LateMax  lab.Millis `json:"late_max_ms"`
	NoSocket int        `json:"no_socket"` // not sent for want of a descriptor or a port
	BoundBy  string     `json:"bound_by"`  // the bottleneck: "generator", "server", or "" for none

	Goodput  *float64   `json:"steady_goodput_rps"`
	Refused  *float64   `json:"refused_rps"`
	NoAnswer *int       `json:"no_answer"` // neither an answer nor a refusal in time
	P99      lab.Millis `json:"p99_ms"`
	CPU      *float64   `json:"server_cpu_percent"` // of one processor; nil also where it is not known
}

func farLoad(set *lab.Settings, multiple float64) lab.OpenLoop {
	return lab.OpenLoop{Rate: multiple * set.Capacity, Duration: set.Duration, Patience: set.ClientTimeout, HangUp: true}
}

// tryFar sends one load to a fresh server.
func tryFar(ctx context.Context, launch launcher, args []string, connections int, set *lab.Settings, multiple float64) (farRow, error) {
	s, err := launch(ctx, args, connections)
	if err != nil {
		return farRow{}, err
	}
	load := farLoad(set, multiple)
	start := time.Now()
	samples, err := load.Run(ctx, (&lab.Target{URL: s.url + "/work", Client: s.client}).Send)
	took := time.Since(start)
	cpu := s.stop()
	if err != nil {
		return farRow{}, err
	}
	r := newFarRow(load, set, samples)
	r.Multiple = multiple
	if cpu > 0 && r.BoundBy != "generator" {
		r.CPU = new(math.Round(100 * cpu.Seconds() / took.Seconds()))
	}
	return r, nil
}

func newFarRow(load lab.OpenLoop, set *lab.Settings, samples []lab.Sample) farRow {
	s := lab.Summarize("", load, set.WarmUp, samples)
	r := farRow{Asked: load.Rate, Sent: s.SentRate, LateP99: s.LateP99, LateMax: s.LateMax, P99: lab.Millis(math.NaN())}
	r.NoSocket = lab.CountFailures(samples).Own()
	switch {
	case s.Complete() && s.SentRate < 0.95*load.Rate, s.LateP99 > lab.ToMillis(s.LateBound()), r.NoSocket > 0:
		r.BoundBy = "generator"
		return r
	case s.Complete() && s.Steady < 0.95*min(load.Rate, set.Capacity):
		r.BoundBy = "server"
	}
	sent := s.Offered - s.NotSent
	r.Goodput, r.P99 = &s.Steady, s.P99
	r.NoAnswer = new(s.Timeout + s.Failed)
	r.Refused = new(s.SentRate * float64(s.Shed) / float64(max(1, sent)))
	return r
}

// reportFar prints the rows, says who ends the plateau unless the run was cut short,
// and adds the checks. It returns how far the plateau goes.
func reportFar(step *lab.Step, set *lab.Settings, rows []farRow, complete bool) (flat float64) {
	table := [][]string{{"load", "asked/s", "sent/s", "late ms", "goodput*", "refused/s", "no answer", "p99 ms", "cpu*", "bottleneck"}}
	least, noAnswer := math.Inf(1), 0
	for _, r := range rows {
		table = append(table, []string{fmt.Sprintf("%gx", r.Multiple), fmt.Sprintf("%.0f", r.Asked), fmt.Sprintf("%.0f", r.Sent),
			fmt.Sprintf("%.1f", float64(r.LateP99)), orDash("%.1f", r.Goodput), orDash("%.0f", r.Refused), orDash("%d", r.NoAnswer),
			r.P99.String(), orDash("%.0f%%", r.CPU), cmp.Or(r.BoundBy, "-")})
		if r.BoundBy == "" {
			flat = r.Multiple
		}
		if r.Multiple > claimed {
			continue
		}
		if r.BoundBy == "generator" {
			step.Doubt("the generator was the bottleneck at %gx already", r.Multiple)
			continue
		}
		least = min(least, *r.Goodput)
		noAnswer += *r.NoAnswer
	}
	step.Print(lab.Table(table) + "late: p99 of the sends\n" +
		"* goodput: per second, of the requests due after the warm-up\n" +
		"  cpu: of the server; 100% is one processor\n")
	if complete {
		step.Printf("%s", whoEndsIt(flat, rows[len(rows)-1]))
	}
	if !math.IsInf(least, 1) {
		step.Add(fmt.Sprintf("goodput, up to %dx", claimed), least >= 0.95*set.Capacity,
			fmt.Sprintf("at least %.1f/s", least), "at least 95% of the capacity")
		step.Add(fmt.Sprintf("clients without any answer, up to %dx", claimed), noAnswer == 0, fmt.Sprint(noAnswer), "0")
	}
	return flat
}

// whoEndsIt says how far the plateau goes, and what became of it in the last row.
func whoEndsIt(flat float64, last farRow) string {
	plateau := fmt.Sprintf("The plateau goes to %gx.", flat)
	if flat == 0 {
		plateau = "There is no plateau to be seen."
	}
	switch last.BoundBy {
	case "generator":
		sent := fmt.Sprintf("it sent %.0f of %.0f requests per second, up to %s ms late", last.Sent, last.Asked, last.LateMax)
		if last.NoSocket > 0 {
			sent += fmt.Sprintf(", and had no socket for %d", last.NoSocket)
		}
		return fmt.Sprintf("%s At %gx the generator is the bottleneck: %s. What the server would do with such a load "+
			"is not known.", plateau, last.Multiple, sent)
	case "server":
		return fmt.Sprintf("%s At %gx the server is the bottleneck.", plateau, last.Multiple)
	}
	return fmt.Sprintf("%s Nobody is the bottleneck yet; to go on: -up-to %g.", plateau, 4*last.Multiple)
}

func orDash[T any](format string, x *T) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf(format, *x)
}
