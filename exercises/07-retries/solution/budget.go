package client

import "sync"

// A budget pays for retries: a tenth of one for every request, and ten that are there
// from the beginning. It is what keeps the retries from doubling the load.
type budget struct {
	mu    sync.Mutex
	spent int // tenths of a retry that are missing
}

const most = 100 // tenths

// earn puts in a tenth of a retry, for a request that is sent for the first time.
func (b *budget) earn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(0, b.spent-1)
}

// pay takes out a retry, and reports false if there is none.
func (b *budget) pay() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent+10 > most {
		return false
	}
	b.spent += 10
	return true
}
