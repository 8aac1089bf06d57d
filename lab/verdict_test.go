package lab

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestChecks(t *testing.T) {
	var c Checks
	_, verdict := c.Results()
	assert.Equal(t, Inconclusive, verdict, "no claim is no success")

	c.Add("later seconds answered in time", true, "0 of 640", "at most 2%")
	_, verdict = c.Results()
	assert.Equal(t, Holds, verdict)
	assert.Equal(t, "holds         later seconds answered in time: 0 of 640 (want at most 2%)\n", c.String())

	c.Add("peak line", false, "3", "at least 100")
	c.Add("wasted", true, "9", "some")
	_, verdict = c.Results()
	assert.Equal(t, DoesNotHold, verdict, "one that fails is enough, wherever it stands")
	assert.Contains(t, c.String(), "\ndoes not hold peak line: 3 (want at least 100)\n")

	c.Doubt("the sends were %d ms late", 40)
	checks, verdict := c.Results()
	assert.Equal(t, Inconclusive, verdict)
	for _, check := range checks {
		assert.Equal(t, Inconclusive, check.Verdict)
	}
	assert.Contains(t, c.String(), "\ninconclusive because the sends were 40 ms late\n")
}

// Without claims, a doubt alone is the verdict.
func TestDoubtAlone(t *testing.T) {
	var c Checks
	c.Doubt("nothing was finished")
	_, verdict := c.Results()
	assert.Equal(t, Inconclusive, verdict)
}
