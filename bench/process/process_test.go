package process

import (
	"flag"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var child = flag.String("child", "", "what TestChild does: report, fail, or nothing")

// TestChild is the other process of TestRun.
func TestChild(t *testing.T) {
	switch *child {
	case "report":
		block := make([]byte, 64<<20)
		for i := range block {
			block[i] = 1
		}
		require.NoError(t, Report(os.Stdout, []int{len(block)}))
		runtime.KeepAlive(block)
	case "fail":
		t.Fatal("something is wrong")
	}
}

func TestRun(t *testing.T) {
	var result []int
	usage, err := Run(t.Context(), &result, "-test.run=^TestChild$", "-child=report")
	require.NoError(t, err)
	assert.Equal(t, []int{64 << 20}, result)
	assert.Positive(t, usage.CPU)
	if runtime.GOOS == "linux" {
		assert.Greater(t, usage.PeakMemory, 64<<20)
	}

	_, err = Run(t.Context(), &result, "-test.run=^TestChild$", "-child=fail")
	assert.ErrorContains(t, err, "something is wrong")

	_, err = Run(t.Context(), &result, "-test.run=^TestChild$")
	assert.ErrorContains(t, err, "no report")
}

// The memory of the parent is not that of the process.
func TestRunWithoutParent(t *testing.T) {
	block := make([]byte, 256<<20)
	for i := range block {
		block[i] = 1
	}
	var result []int
	usage, err := Run(t.Context(), &result, "-test.run=^TestChild$", "-child=report")
	require.NoError(t, err)
	assert.Less(t, usage.PeakMemory, 256<<20)
	runtime.KeepAlive(block)
}
