package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// A Target is a URL that an [OpenLoop] sends requests to. Set URL and Client.
// Safe for concurrent use; the zero value is not usable.
type Target struct {
	URL    string
	Client *http.Client // without a Timeout: the patience of the load is the limit

	once    sync.Once
	refusal *Refusal
}

// A Refusal is an answer that turned a request away, as its client saw it.
type Refusal struct {
	Status      int    `json:"status"`
	RetryAfter  string `json:"retry_after"`
	ContentType string `json:"content_type"`
	Body        string `json:"body"`
}

// maxBody bounds what is read of an answer, in bytes. A connection whose answer is
// longer is not used again.
const maxBody = 64 << 10

// Get sends one request and waits for the whole answer: it is the send of an
// [OpenLoop]. It returns nil for a status of 2xx, an [*Overloaded] for 503 and 429,
// with the reason and the Retry-After that the answer has, and an error for
// anything else.
func (t *Target) Get(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL, nil)
	if err != nil {
		return err
	}
	answer, err := t.Client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody))
	switch {
	case err != nil:
		return err
	case answer.StatusCode/100 == 2:
		return nil
	case answer.StatusCode == http.StatusServiceUnavailable, answer.StatusCode == http.StatusTooManyRequests:
		t.once.Do(func() {
			t.refusal = &Refusal{answer.StatusCode, answer.Header.Get("Retry-After"), answer.Header.Get("Content-Type"), string(body)}
		})
		var named struct{ Reason Reason }
		json.Unmarshal(body, &named) // a body that is no JSON names no reason
		return &Overloaded{named.Reason, RetryAfter(answer.Header, time.Now())}
	}
	return fmt.Errorf("unexpected status %s", answer.Status)
}

// FirstRefusal returns the first answer that turned a request away, or nil if
// there was none. Call it when the load has ended.
func (t *Target) FirstRefusal() *Refusal { return t.refusal }
