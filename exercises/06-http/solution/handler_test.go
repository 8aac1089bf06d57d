package handler

import (
	"testing"

	"example.com/sheddinglab/exercises/check"
)

func TestHandler(t *testing.T) { check.HTTP(t, New) }
