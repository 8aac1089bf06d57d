package lab_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

func TestCriticalityNames(t *testing.T) {
	for c, name := range map[lab.Criticality]string{
		lab.CriticalPlus: "critical_plus", lab.Critical: "critical",
		lab.SheddablePlus: "sheddable_plus", lab.Sheddable: "sheddable",
	} {
		assert.Equal(t, name, c.String())
		parsed, err := lab.ParseCriticality(name)
		require.NoError(t, err)
		assert.Equal(t, c, parsed)
	}
	for _, bad := range []string{"", "Critical", "CRITICAL", " critical", "critical ", "critical-plus", "2", "sheddable,critical"} {
		_, err := lab.ParseCriticality(bad)
		assert.EqualError(t, err, `criticality is "`+bad+`", want critical_plus, critical, sheddable_plus or sheddable`)
	}
	assert.Equal(t, "Criticality(4)", lab.Criticality(4).String())
}

// The most important first, and each a smaller number than the one before.
func TestCriticalitiesAreInOrder(t *testing.T) {
	all := lab.Criticalities()
	assert.Equal(t, []lab.Criticality{lab.CriticalPlus, lab.Critical, lab.SheddablePlus, lab.Sheddable}, all)
	for i := range all[1:] {
		assert.Greater(t, all[i], all[i+1])
	}
}

func TestCriticalityIsAKeyInJSON(t *testing.T) {
	text, err := json.Marshal(map[lab.Criticality]int{lab.Sheddable: 1, lab.CriticalPlus: 4})
	require.NoError(t, err)
	assert.Equal(t, `{"critical_plus":4,"sheddable":1}`, string(text))
	var back map[lab.Criticality]int
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, map[lab.Criticality]int{lab.Sheddable: 1, lab.CriticalPlus: 4}, back)

	_, err = json.Marshal(map[lab.Criticality]int{7: 1})
	assert.ErrorContains(t, err, "Criticality(7)")
	assert.Error(t, json.Unmarshal([]byte(`{"urgent":1}`), &back))
}

func TestCriticalityOfAContext(t *testing.T) {
	assert.Equal(t, lab.Critical, lab.CriticalityOf(t.Context()), "of a context that says nothing")
	for _, c := range lab.Criticalities() {
		ctx := lab.WithCriticality(t.Context(), c)
		assert.Equal(t, c, lab.CriticalityOf(ctx))
		inner, cancel := context.WithCancel(ctx)
		assert.Equal(t, c, lab.CriticalityOf(inner), "of a context below it")
		cancel()
	}
	assert.Equal(t, lab.Critical, lab.CriticalityOf(lab.WithCriticality(t.Context(), 4)), "of none of the four")
}

// Case F4: a client's header is believed only when told so; and then only if it
// is exactly one name of a class. Otherwise the class is that of the classifier.
func TestCriticalityOfARequest(t *testing.T) {
	byPath := lab.Classify(func(r *http.Request) lab.Criticality {
		if r.URL.Path == "/batch" {
			return lab.Sheddable
		}
		return lab.Critical
	})
	const trusted, untrusted = true, false
	for _, tt := range []struct {
		name   string
		path   string
		header []string
		trust  bool
		want   lab.Criticality
	}{
		{"no header", "/batch", nil, trusted, lab.Sheddable},
		{"a header of anybody", "/batch", []string{"critical_plus"}, untrusted, lab.Sheddable},
		{"a header of anybody, to its harm", "/", []string{"sheddable"}, untrusted, lab.Critical},
		{"a header of our own", "/batch", []string{"critical_plus"}, trusted, lab.CriticalPlus},
		{"the same, to its harm", "/", []string{"sheddable"}, trusted, lab.Sheddable},
		{"an unknown class", "/batch", []string{"urgent"}, trusted, lab.Sheddable},
		{"an unknown class, elsewhere", "/", []string{"urgent"}, trusted, lab.Critical},
		{"other letters", "/batch", []string{"Critical_Plus"}, trusted, lab.Sheddable},
		{"an empty header", "/batch", []string{""}, trusted, lab.Sheddable},
		{"two headers", "/batch", []string{"critical", "critical_plus"}, trusted, lab.Sheddable},
		{"the same twice", "/batch", []string{"critical", "critical"}, trusted, lab.Sheddable},
		{"a list", "/batch", []string{"critical, critical_plus"}, trusted, lab.Sheddable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			options := []lab.Option{byPath}
			if tt.trust {
				options = append(options, lab.TrustCriticalityHeader)
			}
			var got lab.Criticality
			var h http.Handler = lab.Protect(build(t, lab.Limits{Slots: 1}), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = lab.CriticalityOf(r.Context())
			}), options...)
			r := httptest.NewRequest("GET", tt.path, nil)
			r.Header["Criticality"] = tt.header
			h.ServeHTTP(httptest.NewRecorder(), r)
			assert.Equal(t, tt.want, got)
		})
	}
}

// The class goes along to the next service, over a real connection, and what the
// caller's client had in the header does not.
func TestSendCriticality(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = r.Header.Values("Criticality")
	}))
	defer server.Close()
	client := &http.Client{Transport: lab.SendCriticality(server.Client().Transport)}
	for want, ctx := range map[string]context.Context{
		"critical":  t.Context(),
		"sheddable": lab.WithCriticality(t.Context(), lab.Sheddable),
	} {
		r, err := http.NewRequestWithContext(ctx, "GET", server.URL, nil)
		require.NoError(t, err)
		r.Header.Set("Criticality", "critical_plus")
		answer, err := client.Do(r)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Equal(t, []string{want}, got)
		assert.Equal(t, "critical_plus", r.Header.Get("Criticality"), "the caller's request is left alone")
	}
}
