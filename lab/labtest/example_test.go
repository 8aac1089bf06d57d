package labtest_test

import (
	"fmt"
	"testing"

	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/broken"
	"example.com/sheddinglab/lab/labtest"
)

// Put your own constructor in the place of lab.NewController.
func TestMine(t *testing.T) {
	labtest.Run(t, func(l lab.Limits) (labtest.Controller, error) {
		return lab.NewController(l)
	})
}

// The checks run without a test too, on the wall clock.
func ExampleBehaviour_Check() {
	for _, b := range labtest.Behaviours()[:4] {
		if err := b.Check(broken.Leaky); err != nil {
			fmt.Println("the leaky controller breaks the rule:", b.Name)
		}
	}
	// Output: the leaky controller breaks the rule: timeouts give back their place
}
