package lab

import (
	"math"
	"sync"
	"time"
)

// A RetryBudget bounds the retries of one client to a share of its requests: a
// token bucket into which every request puts a tenth of a token when it is first
// sent, and from which every retry takes one. So the retries of a client whose
// every request is turned away add a tenth to the load, and not twice the load.
//
// Share one among all requests to one service. The zero value is a full bucket.
// A nil budget has no tokens and never gets any. Safe for concurrent use; not to
// be copied after its first use.
//
// The idea, and the tenth, are the per-client retry budget of "Handling Overload"
// in the SRE book (https://sre.google/sre-book/handling-overload/).
type RetryBudget struct {
	Ratio float64 // tokens a request puts in, at most 1, rounded up to thousandths; 0 = 0.1
	Burst int     // tokens the bucket holds, at most a million; 0 = 10

	mu    sync.Mutex
	spent int       // thousandths of a token missing in the bucket: 0.1 + … + 0.1 is not 1
	last  time.Time // when a retry was last paid for
}

const (
	token = 1000 // thousandths

	// freeRetryAfter is how long after the last retry one is free. A client that
	// makes one request a minute would wait ten minutes for a token.
	freeRetryAfter = 30 * time.Second
)

func (b *RetryBudget) capacity() int {
	if b.Burst < 1 {
		return 10 * token
	}
	return min(b.Burst, 1_000_000) * token
}

func (b *RetryBudget) deposit() {
	if b == nil {
		return
	}
	ratio := b.Ratio
	if !(ratio > 0) {
		ratio = 0.1
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(0, b.spent-int(math.Ceil(min(ratio, 1)*token)))
}

// withdraw reports whether the budget pays for a retry.
func (b *RetryBudget) withdraw() bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	switch {
	case b.spent+token <= b.capacity():
		b.spent += token
	case now.Sub(b.last) < freeRetryAfter:
		return false
	}
	b.last = now
	return true
}
