package memnet

import (
	"io"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestHTTPInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := make(chan struct{}, 1)
		l := Listen()
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(time.Minute):
				io.WriteString(w, "done")
			case <-r.Context().Done():
				gone <- struct{}{}
			}
		})}
		go server.Serve(l)
		defer server.Close()
		transport := &http.Transport{DialContext: l.Dial, DisableKeepAlives: true}

		start := time.Now()
		answer, err := (&http.Client{Transport: transport}).Get("http://" + l.Addr().String())
		require.NoError(t, err)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Equal(t, "done", string(body))
		assert.Equal(t, time.Minute, time.Since(start), "to the nanosecond")

		_, err = (&http.Client{Transport: transport, Timeout: time.Second}).Get("http://" + l.Addr().String())
		assert.Error(t, err)
		<-gone // the server sees the hang-up
	})
}

func TestClosed(t *testing.T) {
	l := Listen()
	waiting, err := l.Dial(t.Context(), "", "")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	require.NoError(t, l.Close())
	_, err = waiting.Read(make([]byte, 1))
	assert.ErrorIs(t, err, io.EOF)
	_, err = l.Dial(t.Context(), "", "")
	assert.Error(t, err)
	_, err = l.Accept()
	assert.Error(t, err)
}

// What a client wrote before it hung up is still there for the server.
func TestWrittenThenClosed(t *testing.T) {
	l := Listen()
	client, err := l.Dial(t.Context(), "", "")
	require.NoError(t, err)
	_, err = client.Write([]byte("hello"))
	require.NoError(t, err)
	require.NoError(t, client.Close())
	server, err := l.Accept()
	require.NoError(t, err)
	all, err := io.ReadAll(server)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(all))
	_, err = server.Write([]byte("too late"))
	assert.Error(t, err)
	_, err = client.Read(make([]byte, 1))
	assert.Error(t, err)
}

func TestReadDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := newConn()
		start := time.Now()
		require.NoError(t, server.SetReadDeadline(start.Add(time.Second)))
		_, err := server.Read(make([]byte, 1))
		assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
		assert.Equal(t, time.Second, time.Since(start))
		require.NoError(t, server.SetReadDeadline(time.Time{}))
		_, err = client.Write([]byte("x"))
		require.NoError(t, err)
		_, err = server.Read(make([]byte, 1))
		assert.NoError(t, err)
	})
}
