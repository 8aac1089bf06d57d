package check

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"example.com/sheddinglab/lab"
)

// A refuser refuses as a handler of exercise 6 should, if its fields are right.
type refuser struct {
	status      int
	contentType string
	seconds     func(time.Duration) string
	body        string // before the reason
}

func (f refuser) answer(w http.ResponseWriter, err error) {
	shed, ok := errors.AsType[*lab.Overloaded](err)
	if !ok {
		right(w, err)
		return
	}
	w.Header().Set("Content-Type", f.contentType)
	if s := f.seconds(shed.RetryAfter); s != "" {
		w.Header().Set("Retry-After", s)
	}
	w.WriteHeader(f.status)
	io.WriteString(w, f.body+string(shed.Reason)+`"}`)
}

// behindTheGate makes a handler of exercise 6 that answers an error with answer. What
// is at path is behind its gate.
func behindTheGate(path string, answer func(http.ResponseWriter, error)) NewHandler {
	return func(a lab.Admitter, work http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			answer(w, a.Do(r.Context(), func() error { work.ServeHTTP(w, r); return nil }))
		})
		if path == "/work" {
			mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
		}
		return mux
	}
}

const (
	refused = "a refusal is a 503 that says why and when to come back"
	noWord  = "nothing is written for a client that has gone"
	other   = "any other error is not a refusal"
	left    = "the answer of the work is left as it is"
	health  = "the health check is answered by a service that turns everybody away"
)

func TestHTTP(t *testing.T) {
	wantKept(t, overHTTP(behindTheGate("/work", right)))
	for _, c := range []struct {
		name        string
		path        string // of what is behind the gate
		answer      func(http.ResponseWriter, error)
		rule, words string
	}{
		{"a word to the gone", "/work", func(w http.ResponseWriter, err error) {
			if errors.Is(err, context.Canceled) {
				http.Error(w, "gone", 499)
				return
			}
			right(w, err)
		}, noWord, "status 499"},
		{"a word to those who are gone for another reason too", "/work", func(w http.ResponseWriter, err error) {
			if errors.Is(err, context.Canceled) && err != context.Canceled {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			right(w, err)
		}, noWord, `the error is "in line: context canceled", and the answer status 500`},
		{"503 for everybody", "/work", func(w http.ResponseWriter, err error) {
			if _, ok := errors.AsType[*lab.Overloaded](err); err != nil && !ok && !errors.Is(err, context.Canceled) {
				err = &lab.Overloaded{Reason: lab.LineFull}
			}
			right(w, err)
		}, other, "status 503"},
		{"when to come back, for everybody", "/work", func(w http.ResponseWriter, err error) {
			w.Header().Set("Retry-After", "1")
			right(w, err)
		}, other, `status 500, Retry-After ["1"]`},
		{"silence", "/work", func(w http.ResponseWriter, err error) {
			if _, ok := errors.AsType[*lab.Overloaded](err); ok {
				right(w, err)
			}
		}, other, "nothing is written"},
		{"more than the work said", "/work", func(w http.ResponseWriter, err error) {
			if right(w, err); err == nil {
				io.WriteString(w, "!")
			}
		}, left, `body "tea!"`},
		{"all behind the gate", "/", right, health, "status 503"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantBroken(t, overHTTP(behindTheGate(c.path, c.answer)), c.rule, c.words)
		})
	}
}

// A handler that sends a status of its own before the work does.
func TestStatusOfTheWork(t *testing.T) {
	wantBroken(t, overHTTP(func(a lab.Admitter, work http.Handler) http.Handler {
		return behindTheGate("/work", right)(a, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			work.ServeHTTP(w, r)
		}))
	}), left, "the client got status 200")
}

func TestRefusals(t *testing.T) {
	ceil := func(d time.Duration) string { return strconv.Itoa(max(1, int((d+time.Second-1)/time.Second))) }
	good := refuser{http.StatusServiceUnavailable, "application/json", ceil, `{"error":"overloaded","reason":"`}
	wantKept(t, overHTTP(behindTheGate("/work", good.answer)))
	for _, c := range []struct {
		name  string
		spoil func(*refuser)
		words string
	}{
		{"429", func(f *refuser) { f.status = http.StatusTooManyRequests }, "status 429"},
		{"text", func(f *refuser) { f.contentType = "text/plain" }, `Content-Type "text/plain"`},
		{"no error", func(f *refuser) { f.body = `{"reason":"` }, `body "{\"reason\":\"line_full\"}"`},
		{"no JSON", func(f *refuser) { f.body = `overloaded "` }, `body "overloaded \"line_full\"}"`},
		{"no time", func(f *refuser) { f.seconds = func(time.Duration) string { return "" } }, "Retry-After []"},
		{"always the same second", func(f *refuser) { f.seconds = func(time.Duration) string { return "1" } }, "RetryAfter of 3s"},
		{"rounded down", func(f *refuser) {
			f.seconds = func(d time.Duration) string { return strconv.Itoa(max(1, int(d/time.Second))) }
		}, "RetryAfter of 2.5s"},
		{"rounded", func(f *refuser) {
			f.seconds = func(d time.Duration) string { return strconv.Itoa(max(1, int(d.Round(time.Second)/time.Second))) }
		}, "RetryAfter of 2.000000001s"},
		{"0 for less than a second", func(f *refuser) {
			f.seconds = func(d time.Duration) string {
				if d < time.Second {
					return "0"
				}
				return ceil(d)
			}
		}, "RetryAfter of 100ms"},
		{"0 for 0", func(f *refuser) {
			f.seconds = func(d time.Duration) string { return strconv.Itoa(int((d + time.Second - 1) / time.Second)) }
		}, "RetryAfter of 0s"},
		{"an hour at most", func(f *refuser) { f.seconds = func(d time.Duration) string { return ceil(min(d, time.Hour)) } },
			"RetryAfter of 24h0m0s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := good
			c.spoil(&f)
			wantBroken(t, overHTTP(behindTheGate("/work", f.answer)), refused, c.words)
		})
	}
	// A type assertion does not look inside.
	wantBroken(t, overHTTP(behindTheGate("/work", func(w http.ResponseWriter, err error) {
		if _, ok := err.(*lab.Overloaded); !ok && err != nil && !errors.Is(err, context.Canceled) {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		right(w, err)
	})), refused, `the error is "at the gate: overloaded: line_full"`)
	// Each reason is its own.
	wantBroken(t, overHTTP(behindTheGate("/work", func(w http.ResponseWriter, err error) {
		if shed, ok := errors.AsType[*lab.Overloaded](err); ok {
			err = &lab.Overloaded{Reason: lab.LineFull, RetryAfter: shed.RetryAfter}
		}
		right(w, err)
	})), refused, `"overloaded: waited_too_long" with a RetryAfter of 3s`)
}

// right is the answer that passes: the one of package lab.
func right(w http.ResponseWriter, err error) {
	r, _ := http.NewRequest("GET", "/work", nil)
	lab.Protect(says{err}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
}
