package client

import (
	"testing"

	"example.com/sheddinglab/exercises/check"
)

func TestClient(t *testing.T) {
	check.Retries(t, func() check.Client { return New() })
}
