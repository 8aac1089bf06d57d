package lab

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTargetRequest(t *testing.T) {
	target := newTarget(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Equal(t, "POST", r.Method)
		assert.Equal(t, "body", string(body))
		assert.EqualValues(t, 4, r.ContentLength)
		assert.Equal(t, "other.example", r.Host)
		assert.Equal(t, []string{"red", "green"}, r.Header["Color"])
	})
	target.Method, target.Body = "POST", []byte("body")
	target.Header = http.Header{"Host": {"other.example"}, "Color": {"red", "green"}}
	for range 2 {
		assert.NoError(t, target.Send(t.Context()))
	}
}

// Where a redirect leads is in its error, for a client that does not follow it.
func TestTargetRedirect(t *testing.T) {
	target := newTarget(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	target.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	assert.Equal(t, &StatusError{Status: 302, Location: "/elsewhere"}, target.Send(t.Context()))
}
