package labtest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

// In a bubble the checks are run by TestMine.
func TestChecksOnTheWallClock(t *testing.T) {
	for _, b := range labtest.Behaviours() {
		t.Run(b.String(), func(t *testing.T) {
			onTheWallClock(t, func() error {
				return b.Check(func(l lab.Limits) (labtest.Controller, error) { return lab.NewController(l) })
			})
		})
	}
}

func TestEachBehaviourExplainsItself(t *testing.T) {
	numbers := make(map[int]bool)
	for _, b := range labtest.Behaviours() {
		assert.False(t, numbers[b.Number], "number %d twice", b.Number)
		numbers[b.Number] = true
		assert.NotEmpty(t, b.Name)
		assert.True(t, strings.HasSuffix(b.Rule, "."), "%s: the rule is no sentence", b)
		assert.True(t, strings.HasSuffix(b.Look, "."), "%s: where to look is no sentence", b)
	}
	assert.False(t, numbers[5])
}

func TestConstructorThatFails(t *testing.T) {
	err := labtest.Behaviours()[1].Check(func(lab.Limits) (labtest.Controller, error) {
		return nil, errors.New("no room")
	})
	assert.EqualError(t, err, strings.TrimPrefix(`
2 a full line turns away immediately
    measured: the constructor refused {Slots:1 MaxWaiting:0 MaxWait:1s
              RetryAfter:0s}: no room
    wanted:   a controller
    rule:     With every slot busy and the line full, a request is told
              line_full at once. A refusal is only cheap, for both sides, if
              nobody waits for it.
    look at:  the step that takes a place in line: it must not block.`, "\n"))
}

// A fake controller whose Do is a function.
type fake func(ctx context.Context, work func() error) error

func (f fake) Do(ctx context.Context, work func() error) error { return f(ctx, work) }
func (f fake) Stats() lab.Stats                                { return lab.Stats{} }

func TestControllersThatAreNone(t *testing.T) {
	never := errors.New("nobody is let in")
	for _, tt := range []struct {
		name string
		do   fake
		want string
	}{
		{"no slot for anybody", func(context.Context, func() error) error { return never }, "not worked on, and told nobody is let in"},
		{"no work for anybody", func(context.Context, func() error) error { return nil }, "not worked on, and told <nil>"},
		{"work twice", func(_ context.Context, work func() error) error { work(); return work() }, "worked on 2 times"},
		{"an error after the work", func(_ context.Context, work func() error) error { work(); return never }, `worked on, and then told "nobody is let in"`},
		{"a panic", func(context.Context, func() error) error { panic("no slots") }, "ended by the panic no slots"},
	} {
		synctest.Test(t, func(t *testing.T) {
			err := labtest.Behaviours()[0].Check(func(lab.Limits) (labtest.Controller, error) { return tt.do, nil })
			if assert.Error(t, err, tt.name) {
				assert.Contains(t, strings.Join(strings.Fields(err.Error()), " "), tt.want)
			}
		})
	}
}

// The kit does not wait for ever for requests that do not come back.
func TestControllerThatKeepsItsCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		defer close(end)
		err := labtest.Behaviours()[1].Check(func(lab.Limits) (labtest.Controller, error) {
			return fake(func(_ context.Context, work func() error) error {
				work()
				<-end
				return nil
			}), nil
		})
		assert.ErrorContains(t, err, "did not come back")
	})
}
