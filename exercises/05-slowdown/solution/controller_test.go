package controller

import (
	"testing"

	"example.com/sheddinglab/exercises/check"
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

func TestController(t *testing.T) {
	check.Slowdown(t, func(l lab.Limits) (labtest.Controller, error) { return New(l) })
}
