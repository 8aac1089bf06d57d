package lab

import (
	"bytes"
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

	Method string      // GET if empty
	Header http.Header // nil for none
	Body   []byte      // nil for none

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

// A StatusError is an answer whose status is neither a success nor a refusal.
type StatusError struct {
	Status   int
	Location string // of a redirect that was not followed
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("unexpected status %d %s", e.Status, http.StatusText(e.Status))
}

// maxBody bounds what is read of an answer, in bytes. A connection whose answer is
// longer is not used again.
const maxBody = 64 << 10

// Send sends one request and waits for the whole answer: it is the send of an
// [OpenLoop]. It returns nil for a status of 2xx, an [*Overloaded] for 503 and 429,
// with the reason and the Retry-After that the answer has, a [*StatusError] for any
// other status, and otherwise the error that kept the answer away.
func (t *Target) Send(ctx context.Context) error {
	request, err := newRequest(ctx, t.Method, t.URL, t.Header, t.Body)
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
	return &StatusError{answer.StatusCode, answer.Header.Get("Location")}
}

// newRequest makes a request. In net/http the Host header is a field of its own.
func newRequest(ctx context.Context, method, url string, header http.Header, body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if header != nil {
		request.Header = header.Clone()
	}
	if host := header.Get("Host"); host != "" {
		request.Host = host
	}
	return request, nil
}

// FirstRefusal returns the first answer that turned a request away, or nil if
// there was none. Call it when the load has ended.
func (t *Target) FirstRefusal() *Refusal { return t.refusal }
