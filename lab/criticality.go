package lab

import (
	"context"
	"fmt"
	"net/http"
)

// A Criticality is the class of a request: how bad it is to turn it away. A more
// important class is a larger number, and the zero value is the least important.
//
// The four are those of "Handling Overload" in the SRE book
// (https://sre.google/sre-book/handling-overload/). They are few on purpose: a class
// more is one more thing for every team to argue about.
type Criticality uint8

const (
	Sheddable     Criticality = iota // turned away often, and at times all of it: what nobody misses for a while
	SheddablePlus                    // turned away at times: batch work, which can come back in an hour
	Critical                         // a user would see it; what says nothing is Critical
	CriticalPlus                     // a user would suffer from it
)

var criticalityNames = [...]string{"sheddable", "sheddable_plus", "critical", "critical_plus"}

// Criticalities returns the four classes, the most important first.
func Criticalities() []Criticality {
	return []Criticality{CriticalPlus, Critical, SheddablePlus, Sheddable}
}

// String returns the name, as ParseCriticality reads it.
func (c Criticality) String() string {
	if c > CriticalPlus {
		return fmt.Sprintf("Criticality(%d)", uint8(c))
	}
	return criticalityNames[c]
}

// ParseCriticality reads the name of a class, in lower case and with nothing around
// it. The error names what else it found.
func ParseCriticality(name string) (Criticality, error) {
	for i, known := range criticalityNames {
		if name == known {
			return Criticality(i), nil
		}
	}
	return 0, fmt.Errorf("criticality is %q, want critical_plus, critical, sheddable_plus or sheddable", name)
}

// MarshalText makes c a key in JSON.
func (c Criticality) MarshalText() ([]byte, error) {
	_, err := ParseCriticality(c.String())
	return []byte(c.String()), err
}

// UnmarshalText is [ParseCriticality].
func (c *Criticality) UnmarshalText(name []byte) (err error) {
	*c, err = ParseCriticality(string(name))
	return err
}

type criticalityKey struct{}

// WithCriticality returns a context for a request of class c, and for whatever is
// asked of others on its behalf.
func WithCriticality(ctx context.Context, c Criticality) context.Context {
	return context.WithValue(ctx, criticalityKey{}, c)
}

// CriticalityOf returns the class that ctx has from [WithCriticality], and Critical
// if it has none, or none of the four: only what is known to be sheddable is shed
// before the rest.
func CriticalityOf(ctx context.Context) Criticality {
	c, ok := ctx.Value(criticalityKey{}).(Criticality)
	if !ok || c > CriticalPlus {
		return Critical
	}
	return c
}

// Classify returns an [Option] that gives a request the class that classifier sees in
// it: by its path, its method, or who is logged in.
func Classify(classifier func(*http.Request) Criticality) Option {
	return func(r *http.Request) context.Context {
		return WithCriticality(r.Context(), classifier(r))
	}
}

// CriticalityHeader has the class of a request as a [Criticality] prints it.
const CriticalityHeader = "Criticality"

// TrustCriticalityHeader is an [Option] that gives a request the class in its header.
// Without it nobody looks at the header. A header that is not exactly one name of a
// class says nothing: put the option behind [Classify], whose class then stands.
//
// Use it only if all clients are services of your own, behind an edge that removes
// the header. Any other client will soon find out that critical_plus is served best.
func TrustCriticalityHeader(r *http.Request) context.Context {
	values := r.Header.Values(CriticalityHeader)
	if len(values) != 1 {
		return r.Context()
	}
	c, err := ParseCriticality(values[0])
	if err != nil {
		return r.Context()
	}
	return WithCriticality(r.Context(), c)
}

// SendCriticality returns a transport that sends requests through next, with the class
// of their context in the header, whatever they had there. So the work that a service
// asks of others on behalf of a request is as important as the request.
func SendCriticality(next http.RoundTripper) http.RoundTripper { return criticalitySender{next} }

type criticalitySender struct{ next http.RoundTripper }

func (s criticalitySender) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context()) // a RoundTripper must not change its request
	r.Header.Set(CriticalityHeader, CriticalityOf(r.Context()).String())
	return s.next.RoundTrip(r)
}
