package decision

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab/labtest"
)

// A broken rule is a number in the kit. What a peer does not keep the lab pays for
// and the peer does not; the README has the table.
var peers = []struct {
	name   string
	new    labtest.Constructor
	breaks []int
	why    string
}{
	{"channel", keeper("channel"), []int{2, 6, 8, 10, 11, 13}, "no bound on the line, no context"},
	{"atomic", keeper("atomic"), []int{2, 3, 4, 6, 8, 9, 10, 11, 13, 14, 15}, "nobody waits, no context"},
	{"x-sync", keeper("x-sync"), []int{2, 8, 11, 13}, "no bound on the line"},
	{"failsafe", keeper("failsafe"), []int{2, 8, 10, 11, 13}, "no bound on the line, admits half of the dead"},
	{"chi", maker("chi"), []int{10}, "admits half of the dead"},
	{"lab", keeper("lab"), nil, ""},
}

func keeper(name string) labtest.Constructor {
	i := slices.IndexFunc(gatekeepers, func(k gatekeeper) bool { return k.name == name })
	return gatekeepers[i].controller
}

func maker(name string) labtest.Constructor {
	i := slices.IndexFunc(middlewares, func(m middlewareMaker) bool { return m.name == name })
	return middlewares[i].controller
}

// Each peer breaks the rules that are said to be broken, and keeps all others.
func TestRulesOfThePeers(t *testing.T) {
	for _, p := range peers {
		for _, b := range labtest.Behaviours() {
			t.Run(p.name+"/"+b.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					err := b.Check(p.new)
					if slices.Contains(p.breaks, b.Number) {
						assert.Error(t, err, "%s keeps a rule that it is said to break", p.name)
					} else {
						assert.NoError(t, err)
					}
				})
			})
		}
	}
}

func TestREADMESaysWhoBreaksWhat(t *testing.T) {
	var table strings.Builder
	for _, p := range peers {
		breaks := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(p.breaks)), ", "), "[]")
		if breaks == "" {
			breaks = "none"
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", p.name, breaks, p.why)
	}
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	assert.Contains(t, string(readme), table.String())
}
