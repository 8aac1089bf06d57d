package controller

import (
	"testing"

	"example.com/sheddinglab/exercises/check"
	"example.com/sheddinglab/lab"
	"example.com/sheddinglab/lab/labtest"
)

func newController(l lab.Limits) (labtest.Controller, error) { return New(l) }

func TestController(t *testing.T) { labtest.Run(t, newController) }

func TestWaits(t *testing.T) { check.Waits(t, newController) }
