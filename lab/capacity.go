package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"
)

// A Capacity is a measured capacity together with the settings it was measured
// under. Step 1 keeps it on disk and the later steps read it.
type Capacity struct {
	PerSecond     float64 `json:"capacity_rps"`
	Slots         int     `json:"slots"`
	ServiceTimeMS float64 `json:"service_time_ms"`
	Verdict       Verdict `json:"verdict"` // on the step that measured it
}

// howToMeasure ends every error about a capacity that cannot be used.
const howToMeasure = "measure it with make step-1, or go run ./steps/01-calibrate"

func capacityFile(dir string) string { return filepath.Join(dir, "capacity.json") }

// Save keeps c in dir, which it makes if it must. The file is there whole or
// not at all.
func (c Capacity) Save(dir string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return keep(capacityFile(dir), append(data, '\n'))
}

// LoadCapacity reads what Save kept in dir. Its errors name the file, what is
// wrong with it and how to measure the capacity.
func LoadCapacity(dir string) (Capacity, error) {
	var c Capacity
	name := capacityFile(dir)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("no capacity in %s yet: %s", name, howToMeasure)
	}
	if err != nil {
		return c, fmt.Errorf("%w: %s", err, howToMeasure)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("%s is not a measured capacity (%w): %s", name, err, howToMeasure)
	}
	if !(c.PerSecond > 0) || math.IsInf(c.PerSecond, 0) {
		return c, fmt.Errorf("%s: capacity_rps is %v, want a finite number above 0: %s", name, c.PerSecond, howToMeasure)
	}
	switch c.Verdict {
	case Holds, DoesNotHold, Inconclusive:
		return c, nil
	}
	return c, fmt.Errorf("%s: verdict is %q, want that of step 1: %s", name, c.Verdict, howToMeasure)
}

// For returns an error if c was measured under other settings than these.
func (c Capacity) For(slots int, serviceTime time.Duration) error {
	switch ms := float64(ToMillis(serviceTime)); {
	case c.Slots != slots:
		return fmt.Errorf("the capacity of %v/s was measured with -slots %d, not %d: %s -slots %d",
			c.PerSecond, c.Slots, slots, howToMeasure, slots)
	case c.ServiceTimeMS != ms:
		return fmt.Errorf("the capacity of %v/s was measured with -service-time %vms, not %v: %s -service-time %v",
			c.PerSecond, c.ServiceTimeMS, serviceTime, howToMeasure, serviceTime)
	}
	return nil
}
