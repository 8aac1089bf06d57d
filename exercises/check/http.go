package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
)

// NewHandler makes the handler of exercise 6.
type NewHandler func(gate lab.Admitter, work http.Handler) http.Handler

// HTTP checks exercise 6: the answers to requests that are turned away. No network
// is needed for it.
func HTTP(t *testing.T, newHandler NewHandler) {
	t.Helper()
	keep(t, overHTTP(newHandler))
}

const protocol = "steps/06-http/README.md, Why."

func overHTTP(newHandler NewHandler) []rule {
	return []rule{
		{"a refusal is a 503 that says why and when to come back", once, func() error { return refusals(newHandler) }},
		{"nothing is written for a client that has gone", once, func() error {
			for _, err := range []error{context.Canceled, fmt.Errorf("in line: %w", context.Canceled)} {
				if a := get(newHandler, says{err}, "/work"); a.written {
					return wrong(fmt.Sprintf("the error is %q, and the answer %s", err, a), "no answer",
						"the error of a request whose client has left, while it waited: nobody reads what is written.")
				}
			}
			return nil
		}},
		{"any other error is not a refusal", once, func() error {
			a := get(newHandler, says{errors.New("boom")}, "/work")
			if a.Code == http.StatusInternalServerError && a.Header().Get("Retry-After") == "" {
				return nil
			}
			return wrong(`the error is "boom", and the answer `+a.String(), "status 500, without a Retry-After",
				"what happens to an error that is neither of the others: something is broken, and nobody knows for how long.")
		}},
		{"the answer of the work is left as it is", once, func() error {
			a := get(newHandler, says{nil}, "/work")
			if a.Code == http.StatusTeapot && a.Body.String() == "tea" {
				return nil
			}
			return wrong("the work answered with status 418 and tea, and the client got "+a.String(),
				"the same", "what is done when there is no error: nothing.")
		}},
		{"the health check is answered by a service that turns everybody away", once, func() error {
			a := get(newHandler, says{&lab.Overloaded{Reason: lab.LineFull}}, "/health")
			if a.Code == http.StatusOK {
				return nil
			}
			return wrong(a.String(), "status 200", "what is behind the gate and what is not; "+protocol)
		}},
	}
}

// says is an admitter that has one error for everybody, or admits everybody if it is
// nil.
type says struct{ err error }

func (s says) Do(_ context.Context, work func() error) error {
	if s.err != nil {
		return s.err
	}
	return work()
}

// An answer is what a client gets.
type answer struct {
	*httptest.ResponseRecorder
	written bool
}

func (a *answer) Write(b []byte) (int, error) {
	a.written = true
	return a.ResponseRecorder.Write(b)
}

func (a *answer) WriteString(s string) (int, error) { return a.Write([]byte(s)) }

func (a *answer) WriteHeader(status int) {
	a.written = true
	a.ResponseRecorder.WriteHeader(status)
}

func (a *answer) String() string {
	if !a.written {
		return "nothing is written"
	}
	return fmt.Sprintf("status %d, Retry-After %q, Content-Type %q, body %q",
		a.Code, a.Header().Values("Retry-After"), a.Header().Get("Content-Type"), a.Body)
}

// get asks a handler behind gate. A handler may cut the connection, as net/http lets
// it, by a panic with http.ErrAbortHandler.
func get(newHandler NewHandler, gate lab.Admitter, path string) (a *answer) {
	a = &answer{ResponseRecorder: httptest.NewRecorder()}
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			panic(v)
		}
	}()
	tea := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		w.Write([]byte("tea"))
	})
	newHandler(gate, tea).ServeHTTP(a, httptest.NewRequestWithContext(context.Background(), "GET", path, nil))
	return a
}

func refusals(newHandler NewHandler) error {
	for _, c := range []struct {
		reason     lab.Reason
		retryAfter time.Duration
		want       string // the seconds
	}{
		{lab.LineFull, time.Second, "1"},
		{lab.WaitedTooLong, 3 * time.Second, "3"},
		{lab.LineFull, 2500 * time.Millisecond, "3"},
		{lab.LineFull, 2*time.Second + 1, "3"},
		{lab.LineFull, 100 * time.Millisecond, "1"},
		{lab.LineFull, 0, "1"},
		{lab.LineFull, 24 * time.Hour, "86400"},
	} {
		shed := &lab.Overloaded{Reason: c.reason, RetryAfter: c.retryAfter}
		for _, err := range []error{shed, fmt.Errorf("at the gate: %w", shed)} {
			a := get(newHandler, says{err}, "/work")
			var body struct {
				Error  string
				Reason lab.Reason
			}
			notJSON := json.Unmarshal(a.Body.Bytes(), &body)
			media, _, _ := mime.ParseMediaType(a.Header().Get("Content-Type"))
			if a.Code == http.StatusServiceUnavailable && slices.Equal(a.Header().Values("Retry-After"), []string{c.want}) &&
				media == "application/json" && notJSON == nil && body.Error == "overloaded" && body.Reason == c.reason {
				continue
			}
			return wrong(
				fmt.Sprintf("the error is %q with a RetryAfter of %v, and the answer is %s", err, c.retryAfter, a),
				fmt.Sprintf(`status 503, Retry-After ["%s"], Content-Type "application/json", body {"error":"overloaded","reason":"%s"}`, c.want, c.reason),
				"whole seconds, rounded up, at least 1, and what errors.AsType finds; "+protocol)
		}
	}
	return nil
}
