package lab

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Failures are the reasons why requests of a run were shed or failed, counted.
type Failures struct {
	ByStatus       map[int]int         `json:"errors_by_status"` // answers that were neither a success nor a refusal
	ByKind         map[FailureKind]int `json:"errors_by_kind"`   // requests without any answer
	WithRetryAfter int                 `json:"shed_with_retry_after"`
}

// CountFailures counts the failures among samples. Of a refusal it counts whether
// its Retry-After asks for a wait, as [RetryAfter] reads it.
func CountFailures(samples []Sample) Failures {
	f := Failures{ByStatus: map[int]int{}, ByKind: map[FailureKind]int{}}
	for _, s := range samples {
		if s.Err == nil {
			continue
		}
		if shed, ok := errors.AsType[*Overloaded](s.Err); ok {
			if shed.RetryAfter > 0 {
				f.WithRetryAfter++
			}
		} else if status, ok := errors.AsType[*StatusError](s.Err); ok {
			f.ByStatus[status.Status]++
		} else {
			f.ByKind[KindOf(s.Err)]++
		}
	}
	return f
}

// Add adds the counts of g to f.
func (f *Failures) Add(g Failures) {
	for status, n := range g.ByStatus {
		f.ByStatus[status] += n
	}
	for kind, n := range g.ByKind {
		f.ByKind[kind] += n
	}
	f.WithRetryAfter += g.WithRetryAfter
}

// Own counts the failures that are the generator's own.
func (f Failures) Own() int { return f.ByKind[NoAddress] + f.ByKind[NoDescriptor] }

// String lists the failures and leaves out the refusals: those with an answer
// first, and the most frequent first.
func (f Failures) String() string {
	return strings.Join(append(byCount(f.ByStatus), byCount(f.ByKind)...), ", ")
}

func byCount[K cmp.Ordered](counts map[K]int) []string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var list []string
	for _, k := range keys {
		list = append(list, fmt.Sprintf("%v x %d", k, counts[k]))
	}
	return list
}

// A FailureKind says what kept the answer to a request away, in a few words.
type FailureKind string

const (
	NoAddress    FailureKind = "cannot assign address" // the client has no port left: its own fault
	NoDescriptor FailureKind = "too many open files"   // on the client's side: its own fault
	NoHost       FailureKind = "host not found"
	Refused      FailureKind = "connection refused" // nobody listens
	Unreachable  FailureKind = "host unreachable"
	Reset        FailureKind = "connection reset"
	Closed       FailureKind = "connection closed" // without an answer, or in the middle of it
	BadTLS       FailureKind = "TLS failure"
	NotHTTP      FailureKind = "not HTTP"
	OutOfTime    FailureKind = "out of time" // before the patience of the load was
	OtherKind    FailureKind = "other"
)

// KindOf tells the kind of an error by its text: that is all that hey and vegeta
// keep of theirs, and the error numbers of a network differ between systems.
func KindOf(err error) FailureKind {
	text := err.Error()
	for _, k := range []struct {
		kind  FailureKind
		parts []string
	}{
		// The client's own first: looking up a host fails for want of a descriptor too.
		{NoDescriptor, []string{"too many open files"}},
		{NoAddress, []string{"assign requested address", "Only one usage of each socket address"}},
		{NoHost, []string{"no such host", "server misbehaving", "lookup "}},
		{Refused, []string{"connection refused", "actively refused"}},
		{Unreachable, []string{"no route to host", "is unreachable", "unreachable network", "unreachable host"}},
		{Reset, []string{"connection reset", "broken pipe", "forcibly closed", "connection was aborted"}},
		{BadTLS, []string{"tls: ", "x509: ", "HTTP response to HTTPS client"}},
		{NotHTTP, []string{"malformed HTTP", "malformed MIME", "server response headers exceeded"}},
		{OutOfTime, []string{"deadline exceeded", "timeout", "timed out"}},
		{Closed, []string{"EOF", "closed"}},
	} {
		for _, part := range k.parts {
			if strings.Contains(text, part) {
				return k.kind
			}
		}
	}
	return OtherKind
}
