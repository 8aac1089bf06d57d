// Step 6: does the same happen over real HTTP, and does it help to honour hang-ups?
//
// New against step 5: a network. The service is a server in a process of its own,
// a client is a connection, and one that gives up hangs up, which the server can
// notice. So there are more ways to be wrong: three servers without limits treat
// the hang-up in three ways, one has the limits of the steps before, and two have
// what people reach for instead of a controller.
//
// Each of them gets the same load, on a fresh server, at the same time as the
// others. What it leaves out: clients who try again. See step 7.
//
//	make step-6
//	go run ./steps/06-http -multiple 4
//	go run ./steps/06-http serve -h     # one server by hand, to curl
package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "serve" {
		return serve(ctx, args[1:], stdout, stderr)
	}
	return compare(ctx, args, stdout, stderr, launchChild)
}

func compare(ctx context.Context, args []string, stdout, stderr io.Writer, launch launcher) error {
	step := lab.NewStep(6, "http", "does the same happen over real HTTP, and does it help to honour hang-ups?")
	set := step.SettingsToMeasure(5 * time.Second)
	multiple := step.Float("multiple", 2, "offered load, in multiples of the capacity")
	budget := step.Millis("budget", 500*time.Millisecond, "wait in line that gives the line its length, as in step 4")
	maxWait := step.Millis("max-wait", 300*time.Millisecond, "longest wait in line, as in step 5")
	if err := step.Begin(args, stdout, stderr); err != nil {
		return err
	}
	service := []string{fmt.Sprint("-slots=", set.Slots), fmt.Sprint("-service-time=", set.ServiceTime)}
	unlimited := append(service, "-max-waiting=none", "-max-wait=none")
	if set.Capacity == 0 {
		var err error
		set.Capacity, err = measure(ctx, launch, unlimited)
		if ctx.Err() != nil {
			return step.End(ctx, "")
		}
		if err != nil {
			return err
		}
		step.Printf("Capacity over HTTP, from 16 users who wait for their answers: %.1f/s.", set.Capacity)
	}
	places := lab.LittlesLaw(set.Capacity, *budget)

	with := func(args ...string) []string { return append(unlimited[:len(unlimited):len(unlimited)], args...) }
	servers := []struct {
		policy string
		args   []string
	}{
		{"hang-ups ignored", with("-hang-up=ignore")},
		{"they leave the line", with("-hang-up=leave")},
		{"work stops too", with("-hang-up=stop")},
		{fmt.Sprintf("line %d, wait %v", places, *maxWait), with(fmt.Sprint("-max-waiting=", places), fmt.Sprint("-max-wait=", *maxWait))},
		{fmt.Sprintf("LimitListener(%d)", set.Slots), with("-guard=limit-listener", "-hang-up=ignore")},
		{"TimeoutHandler", with("-guard=timeout-handler", fmt.Sprint("-timeout=", *maxWait+set.ServiceTime), "-hang-up=ignore")},
	}
	breaks := lab.Seconds((set.ClientTimeout - set.ServiceTime).Seconds() / (*multiple - 1))
	if breaks <= 0 || breaks > set.WarmUp || *maxWait+set.ServiceTime >= set.ClientTimeout {
		step.Doubt("the claims are about a line that outgrows the patience within -warm-up, and a -max-wait that does not")
	}

	rows := make([]row, len(servers))
	_, err := step.SideBySide(set.Duration+set.ClientTimeout, len(servers), func(i int) (lab.Summary, error) {
		var err error
		rows[i], err = try(ctx, launch, servers[i].policy, servers[i].args, *multiple, set)
		return rows[i].Summary, err
	})
	if err != nil && ctx.Err() != nil {
		return step.End(ctx, "") // interrupted while the servers started
	}
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Failed > 0 {
			step.Doubt("%d requests of %q got neither an answer nor a refusal", r.Failed, r.Policy)
		}
	}
	report(step, rows)
	if ctx.Err() == nil {
		step.Printf("Honouring a hang-up saves the server work, and no client an answer: the slot goes to whoever has " +
			"waited longest, and that is whoever is about to give up. Only a bound on the line changes who is served.")
		step.Printf("LimitListener moves the line into the kernel, health checks and all. TimeoutHandler answers, " +
			"while the work goes on.")
	}

	ignored, leave, stop, bounded, listener, timeout := rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]
	step.Add("goodput without limits, after the warm-up", max(ignored.Steady, leave.Steady, stop.Steady) <= 0.02*set.Capacity,
		fmt.Sprintf("%.1f, %.1f and %.1f/s", ignored.Steady, leave.Steady, stop.Steady), "at most 2% of the capacity")
	step.Add("work wasted without limits", ignored.Wasted > leave.Wasted && leave.Wasted > 4*stop.Wasted,
		fmt.Sprintf("%d, %d and %d", ignored.Wasted, leave.Wasted, stop.Wasted), "much, less, next to none")
	step.Add("goodput with limits, after the warm-up", bounded.Steady >= 0.95*set.Capacity && bounded.Timeout == 0,
		fmt.Sprintf("%.1f/s, %d timeouts", bounded.Steady, bounded.Timeout), "at least 95% of the capacity, no timeouts")
	step.Add("first refusal with limits", bounded.Refusal != nil && bounded.Refusal.Status == 503 && bounded.Refusal.RetryAfter == "1",
		describe(bounded.Refusal), `503, Retry-After "1"`)
	step.Add("slowest /health with limits", bounded.Health <= 100, bounded.Health.String()+" ms", "at most 100 ms")
	step.Add("goodput with LimitListener and TimeoutHandler", max(listener.Steady, timeout.Steady) <= bounded.Steady/2,
		fmt.Sprintf("%.1f and %.1f/s", listener.Steady, timeout.Steady), "at most half of that with limits")
	step.KeyFigure("goodput %.1f/s with limits, %.1f/s at best without", bounded.Steady, max(ignored.Steady, leave.Steady, stop.Steady))
	return step.End(ctx, "make step-7")
}
