package lab

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCapacityOnDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	want := Capacity{PerSecond: 79.9, Slots: 4, ServiceTimeMS: 50.07, Verdict: Holds}
	require.NoError(t, want.Save(dir))
	require.NoError(t, want.Save(dir), "over an old one")
	got, err := LoadCapacity(dir)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 1, "nothing but the file itself")

	assert.NoError(t, got.For(4, 50070*time.Microsecond))
	assert.EqualError(t, got.For(8, 50070*time.Microsecond),
		"the capacity of 79.9/s was measured with -slots 4, not 8: measure it with make step-1, or go run ./steps/01-calibrate -slots 8")
	assert.EqualError(t, got.For(4, 100*time.Millisecond),
		"the capacity of 79.9/s was measured with -service-time 50.07ms, not 100ms: measure it with make step-1, or go run ./steps/01-calibrate -service-time 100ms")
}

func TestCapacityThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	_, err := LoadCapacity(dir)
	assert.EqualError(t, err, "no capacity in "+filepath.Join(dir, "capacity.json")+
		" yet: measure it with make step-1, or go run ./steps/01-calibrate")

	for _, damaged := range []string{
		"", "{", "80", `"80"`, "null", "[]", "{}", `{"capacity_rps": 0}`, `{"capacity_rps": -80}`, `{"capacity_rps": 1e999}`,
		`{"capacity_rps": "80"}`, `{"capacity": 80}`, `{"capacity_rps": 80, "slots": 4.5}`, "\x00\xff",
		`{"capacity_rps": 80, "slots": 4, "service_time_ms": 50, "verdict": "holds"} trailing`,
	} {
		require.NoError(t, os.WriteFile(capacityFile(dir), []byte(damaged), 0o644))
		_, err := LoadCapacity(dir)
		assert.ErrorContains(t, err, "capacity.json", damaged)
		assert.ErrorContains(t, err, "measure it with make step-1", damaged)
		if err != nil {
			assert.NotContains(t, err.Error(), "\n")
		}
	}

	require.NoError(t, os.Remove(capacityFile(dir)))
	require.NoError(t, os.Mkdir(capacityFile(dir), 0o755))
	_, err = LoadCapacity(dir)
	assert.ErrorContains(t, err, "measure it with make step-1")
}

func TestCapacityThatCannotBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	assert.Error(t, Capacity{PerSecond: 80}.Save(filepath.Join(file, "out")))
}
