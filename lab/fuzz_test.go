package lab_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

// FuzzController reads a byte string as a program of arrivals, cancellations,
// releases and time steps, and runs it against a controller and a model side by
// side. The seeds are also in testdata/fuzz.
func FuzzController(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		synctest.Test(t, func(t *testing.T) {
			if err := runProgram(program, newController); err != nil {
				t.Error(err)
			}
		})
	})
}

// A program starts with the limits: one digit each for Slots-1, MaxWaiting and
// MaxWait (0 to 8 ms, 9 = NoLimit). Then each byte is one step. In the letters
// of the seeds: a arrives, d arrives with a context that is done, c cancels, r
// releases, t lets time go on.
var seeds = []string{
	"000" + "aarada",           // no line, no wait
	"010" + "aara",             // a line, but no wait
	"009" + "aaraar",           // a wait, but no line
	"123" + "aaaaaarrrraaa",    // more than there is room for
	"013" + "atttttattttttara", // timeouts, one after the other
	"029" + "aaacacaccarrr",    // cancellations in line
	"125" + "aaaattaatttctrdrdaattttttr",
	"234" + "aaaaaaaattrrttttaaacdctrrrr",
}

// The model finds the mistakes of broken controllers with nothing but the seeds
// in testdata. It is no proof that it finds all, but it has teeth.
func TestModelFindsBrokenControllers(t *testing.T) {
	files, err := filepath.Glob("testdata/fuzz/FuzzController/*")
	require.NoError(t, err)
	require.Len(t, files, len(seeds))

	for _, tt := range []struct {
		name   string
		new    labtest.Constructor
		caught bool
	}{
		{"lab.Controller", newController, false},
		{"Leaky", broken.Leaky, true},
		{"PlaceLostByCancel", broken.PlaceLostByCancel, true},
		{"ShedsWhenIdle", broken.ShedsWhenIdle, true},
		{"NoWaitLimit", broken.NoWaitLimit, true},
		{"LazyWaitLimit", broken.LazyWaitLimit, true},
		{"DoubleCount", broken.DoubleCount, true},
	} {
		caught := false
		for _, file := range files {
			synctest.Test(t, func(t *testing.T) {
				if err := runProgram(readSeed(t, file), tt.new); err != nil {
					t.Logf("%s, seed %s: %v", tt.name, filepath.Base(file), err)
					caught = true
				}
			})
		}
		assert.Equal(t, tt.caught, caught, "%s: does the model find a difference?", tt.name)
	}
}

// readSeed reads the one []byte of a file of the fuzz corpus.
func readSeed(t *testing.T, file string) []byte {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, value, _ := strings.Cut(strings.TrimSpace(string(text)), "\n[]byte(")
	seed, err := strconv.Unquote(strings.TrimSuffix(value, ")"))
	require.NoError(t, err, file)
	return []byte(seed)
}

// runProgram returns the first difference between a controller and the model.
// It must run in a bubble.
func runProgram(program []byte, new labtest.Constructor) error {
	if len(program) < 3 || len(program) > 200 {
		return nil
	}
	digit := func(i, n int) int { return int(program[i]-'0') % n }
	slots, places, wait := digit(0, 3)+1, digit(1, 4), time.Duration(digit(2, 10))
	l := lab.Limits{Slots: slots, MaxWaiting: places}
	switch wait {
	case 0: // do not wait
	case 9:
		l.MaxWait = lab.NoLimit
	default:
		// All steps are whole milliseconds: no wait ends in the instant of one.
		l.MaxWait = wait*time.Millisecond + time.Millisecond/2
	}
	ctrl, err := new(l)
	if err != nil {
		return err
	}
	p := &pair{ctrl: ctrl, model: model{limits: l}}
	defer p.goHome()
	for i, op := range program[3:] {
		what := p.step(op)
		synctest.Wait()
		if err := p.compare(); err != nil {
			return fmt.Errorf("limits %+v, step %d of %q, %s: %w", l, i+1, program[3:], what, err)
		}
	}
	return nil
}

// A pair is a controller and its model, to which the same things happen.
type pair struct {
	ctrl    labtest.Controller
	model   model
	clients []*client // client i is request i of the model
}

// A client makes one call of Do.
type client struct {
	cancel context.CancelFunc
	gate   chan struct{} // the work goes on until this is closed
	state  atomic.Value  // as in the model
}

// step does what op says, to both, and says what that was.
func (p *pair) step(op byte) string {
	switch op {
	case 'd':
		p.arrive(true)
		return "a dead client arrives"
	case 'c':
		if i := slices.Index(p.model.states, "waiting"); i >= 0 {
			p.clients[i].cancel()
			p.model.leave(i)
			return "the first in line leaves"
		}
	case 'C':
		for i := len(p.clients) - 1; i >= 0; i-- {
			if p.model.states[i] == "waiting" {
				p.clients[i].cancel()
				p.model.leave(i)
				return "the last in line leaves"
			}
		}
	case 'r':
		if i := slices.Index(p.model.states, "running"); i >= 0 {
			close(p.clients[i].gate)
			p.model.finish(i)
			return "work ends"
		}
	case 't', 'T':
		d := time.Millisecond
		if op == 'T' {
			d = 4 * time.Millisecond
		}
		time.Sleep(d)
		p.model.sleep(d)
		return "time goes on"
	case 'a':
		p.arrive(false)
		return "a client arrives"
	default: // so that each byte of the fuzzer is a step
		return p.step("aadcCrrtT"[op%9])
	}
	return "nothing to do"
}

func (p *pair) arrive(dead bool) {
	ctx, cancel := context.WithCancel(context.Background())
	if dead {
		cancel()
	}
	c := &client{cancel: cancel, gate: make(chan struct{})}
	c.state.Store("waiting")
	p.clients = append(p.clients, c)
	go func() {
		err := p.ctrl.Do(ctx, func() error {
			c.state.Store("running")
			<-c.gate
			return nil
		})
		switch shed, isShed := errors.AsType[*lab.Overloaded](err); {
		case isShed:
			c.state.Store(string(shed.Reason))
		case err == nil:
			c.state.Store("served")
		case err == ctx.Err():
			c.state.Store("gone")
		default:
			c.state.Store(err.Error())
		}
	}()
	p.model.arrive(dead)
}

func (p *pair) compare() error {
	for i, c := range p.clients {
		if got, want := c.state.Load(), p.model.states[i]; got != want {
			return fmt.Errorf("request %d is %s, want %s", i, got, want)
		}
	}
	if got, want := p.ctrl.Stats(), p.model.stats(); got != want {
		return fmt.Errorf("stats are %+v, want %+v", got, want)
	}
	return nil
}

func (p *pair) goHome() {
	for i, c := range p.clients {
		c.cancel()
		if p.model.states[i] != "served" {
			close(c.gate)
		}
	}
	synctest.Wait()
}

// The model is the rules of a controller, one request after the other.
type model struct {
	limits   lab.Limits
	now      time.Duration
	states   []string // running, served, waiting, gone, or a lab.Reason
	arrived  []time.Duration
	peakLine int
}

func (m *model) count(state string) (n int) {
	for _, s := range m.states {
		if s == state {
			n++
		}
	}
	return n
}

func (m *model) arrive(dead bool) {
	state := "waiting"
	switch {
	case dead:
		state = "gone"
	case m.count("running") < m.limits.Slots:
		state = "running"
	case m.limits.MaxWait == 0 && m.limits.MaxWaiting > 0:
		state = "waited_too_long"
	case m.count("waiting") == m.limits.MaxWaiting:
		state = "line_full"
	}
	m.states = append(m.states, state)
	m.arrived = append(m.arrived, m.now)
	m.peakLine = max(m.peakLine, m.count("waiting"))
}

func (m *model) leave(i int) { m.states[i] = "gone" }

func (m *model) finish(i int) {
	m.states[i] = "served"
	if first := slices.Index(m.states, "waiting"); first >= 0 {
		m.states[first] = "running"
	}
}

func (m *model) sleep(d time.Duration) {
	m.now += d
	for i, state := range m.states {
		if state == "waiting" && m.limits.MaxWait != lab.NoLimit && m.now-m.arrived[i] > m.limits.MaxWait {
			m.states[i] = "waited_too_long"
		}
	}
}

func (m *model) stats() lab.Stats {
	return lab.Stats{
		Running:           m.count("running"),
		Waiting:           m.count("waiting"),
		PeakLine:          m.peakLine,
		Arrived:           len(m.states),
		Admitted:          m.count("running") + m.count("served"),
		ShedLineFull:      m.count("line_full"),
		ShedWaitedTooLong: m.count("waited_too_long"),
		Gone:              m.count("gone"),
	}
}
