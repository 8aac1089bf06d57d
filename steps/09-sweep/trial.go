package main

import (
	"context"
	"fmt"
	"time"

	"example.com/sheddinglab/lab"
)

// unlimited are the limits of a service for which nobody has chosen any.
func unlimited(set *lab.Settings) lab.Limits {
	return lab.Limits{Slots: set.Slots, MaxWaiting: lab.NoLimit, MaxWait: lab.NoLimit}
}

// bounded are limits for a line that is worth the budget, by Little's law, and for
// the wait in it.
func bounded(set *lab.Settings, budget, maxWait time.Duration) lab.Limits {
	return lab.Limits{
		Slots:      set.Slots,
		MaxWaiting: lab.LittlesLaw(set.Capacity, budget),
		MaxWait:    maxWait,
		RetryAfter: time.Second,
	}
}

// trial is a service under a load of some multiple of its capacity.
func trial(set *lab.Settings, policy string, limits lab.Limits, multiple float64) lab.Trial {
	return lab.Trial{
		Policy:      fmt.Sprintf("%s %gx", policy, multiple),
		Limits:      limits,
		ServiceTime: lab.Constant(set.ServiceTime),
		Load:        lab.OpenLoop{Rate: multiple * set.Capacity, Duration: set.Duration, Patience: set.ClientTimeout},
		WarmUp:      set.WarmUp,
	}
}

// measure runs the trials side by side, or one after the other.
func measure(ctx context.Context, step *lab.Step, serial bool, trials []lab.Trial) ([]lab.Summary, error) {
	if !serial {
		return step.Measure(ctx, trials...)
	}
	var runs []lab.Summary
	for _, t := range trials {
		one, err := step.Measure(ctx, t)
		if err != nil {
			return nil, err
		}
		runs = append(runs, one...)
	}
	return runs, nil
}

// doubtShort says that the window is too short to tell 5 % of the capacity. A
// service with four slots finishes four requests at a time, so a window may have
// one such group more or less in it.
func doubtShort(step *lab.Step, set *lab.Settings) {
	if window := set.Duration - set.WarmUp; window < 30*set.ServiceTime {
		step.Doubt("-duration without -warm-up is %v, want at least 30 times the service time to tell 5%%", window)
	}
}
