package lab

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKindOf(t *testing.T) {
	dial := func(err error) error {
		return &url.Error{Op: "Get", URL: "http://127.0.0.1/", Err: &net.OpError{Op: "dial", Net: "tcp", Err: err}}
	}
	call := func(name string, err error) error { return dial(os.NewSyscallError(name, err)) }
	for _, tt := range []struct {
		err  error
		want FailureKind
	}{
		{call("socket", syscall.EMFILE), NoDescriptor},
		{errors.New("dial tcp: lookup example.test: socket: too many open files"), NoDescriptor},
		{errors.New("dial tcp 127.0.0.1:80: connect: cannot assign requested address"), NoAddress}, // Linux
		{errors.New("dial tcp 127.0.0.1:80: connect: can't assign requested address"), NoAddress},  // macOS
		{errors.New("connectex: Only one usage of each socket address is normally permitted."), NoAddress},
		{dial(&net.DNSError{Err: "no such host", Name: "example.test", IsNotFound: true}), NoHost},
		{errors.New("connectex: No connection could be made because the target machine actively refused it."), Refused},
		{errors.New("dial tcp 10.0.0.1:80: connect: no route to host"), Unreachable},
		{errors.New("dial tcp 10.0.0.1:80: connect: network is unreachable"), Unreachable},
		{errors.New("read: connection reset by peer"), Reset},
		{errors.New("write: broken pipe"), Reset},
		{errors.New("tls: failed to verify certificate: x509: certificate signed by unknown authority"), BadTLS},
		{errors.New(`net/http: HTTP/1.x transport connection broken: malformed HTTP response "hello"`), NotHTTP},
		{context.DeadlineExceeded, OutOfTime},
		{errors.New("dial tcp: i/o timeout"), OutOfTime},
		{errors.New("net/http: TLS handshake timeout"), OutOfTime},
		{io.EOF, Closed},
		{io.ErrUnexpectedEOF, Closed},
		{errors.New("http: server closed idle connection"), Closed},
		{errors.New("something new"), OtherKind},
	} {
		assert.Equal(t, tt.want, KindOf(tt.err), tt.err)
	}
}

// The same with what real connections run into.
func TestKindOfRealErrors(t *testing.T) {
	nobody := httptest.NewServer(http.NotFoundHandler())
	nobody.Close()
	// cut answers with a connection that ends before the answer does.
	cut := func(linger bool) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if assert.NoError(t, err) {
				if !linger {
					conn.(*net.TCPConn).SetLinger(0)
				}
				conn.Close()
			}
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	secret := httptest.NewUnstartedServer(http.NotFoundHandler())
	secret.Config.ErrorLog = log.New(io.Discard, "", 0) // it says that clients leave
	secret.TLS = &tls.Config{}
	secret.StartTLS()
	t.Cleanup(secret.Close)

	for address, want := range map[string]FailureKind{
		nobody.URL: Refused,
		cut(true):  Closed,
		cut(false): Reset,
		secret.URL: BadTLS,
		"https" + strings.TrimPrefix(plain.URL, "http"): BadTLS,
	} {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		err := (&Target{URL: address, Client: client}).Send(t.Context())
		require.Error(t, err)
		assert.Equal(t, want, KindOf(err), err)
	}
}

func TestCountFailures(t *testing.T) {
	samples := []Sample{
		{Outcome: OK},
		{Outcome: Timeout},
		{Outcome: Shed, Err: &Overloaded{RetryAfter: 1}},
		{Outcome: Shed, Err: &Overloaded{}},
		{Outcome: Failed, Err: &StatusError{Status: 404}},
		{Outcome: Failed, Err: fmt.Errorf("wrapped: %w", &StatusError{Status: 500})},
		{Outcome: Failed, Err: &StatusError{Status: 500}},
		{Outcome: Failed, Err: io.EOF},
		{Outcome: Failed, Err: syscall.EMFILE},
	}
	f := CountFailures(samples)
	assert.Equal(t, Failures{
		ByStatus:       map[int]int{404: 1, 500: 2},
		ByKind:         map[FailureKind]int{Closed: 1, NoDescriptor: 1},
		WithRetryAfter: 1,
	}, f)
	assert.Equal(t, "500 x 2, 404 x 1, connection closed x 1, too many open files x 1", f.String())
	assert.Equal(t, 1, f.Own())

	sum := CountFailures(nil)
	assert.Empty(t, sum.String())
	assert.Zero(t, sum.Own())
	sum.Add(f)
	sum.Add(f)
	assert.Equal(t, "500 x 4, 404 x 2, connection closed x 2, too many open files x 2", sum.String())
	assert.Equal(t, 2, sum.WithRetryAfter)
}
