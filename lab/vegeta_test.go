package lab

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var vegetaHeader = base64.StdEncoding.EncodeToString([]byte("Content-Type: text/plain\r\nRetry-After: 2\r\n"))

// Three hits as vegeta encode writes them: an answer, a refusal, and none at all.
var (
	vegetaCSV = "1700000000000000000,200,50070000,0,18,,e30=,2x,0,GET,http://127.0.0.1:8080/work," + "\n" +
		"1700000000006250000,503,1200000,0,44,503 Service Unavailable,,2x,1,GET,http://127.0.0.1:8080/work," + vegetaHeader + "\n" +
		"1700000000012500000,0,300000,0,0,\"Get \"\"http://127.0.0.1:8080/work\"\": EOF\",,2x,2,GET,http://127.0.0.1:8080/work," + "\n"
	vegetaJSON = `{"attack":"2x","seq":0,"code":200,"timestamp":"2023-11-14T22:13:20Z","latency":50070000,"bytes_out":0,"bytes_in":18,"error":"","body":"e30=","method":"GET","url":"http://127.0.0.1:8080/work","headers":null}
{"attack":"2x","seq":1,"code":503,"timestamp":"2023-11-14T23:13:20.00625+01:00","latency":1200000,"bytes_out":0,"bytes_in":44,"error":"503 Service Unavailable","body":null,"method":"GET","url":"http://127.0.0.1:8080/work","headers":{"Content-Type":["text/plain"],"Retry-After":["2"]}}

{"attack":"2x","seq":2,"code":0,"timestamp":"2023-11-14T22:13:20.0125Z","latency":300000,"error":"Get \"http://127.0.0.1:8080/work\": EOF"}
`
)

func readAll(r io.Reader) (hits []Hit, err error) {
	err = ReadVegeta(r, func(h Hit) error { hits = append(hits, h); return nil })
	return hits, err
}

func TestReadVegeta(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	for name, text := range map[string]string{"CSV": vegetaCSV, "JSON": vegetaJSON} {
		hits, err := readAll(iotest.OneByteReader(strings.NewReader(text)))
		require.NoError(t, err, name)
		require.Len(t, hits, 3, name)
		assert.Equal(t, "2x", hits[0].Attack)
		assert.Nil(t, hits[0].Header)
		assert.Equal(t, "2", hits[1].Header.Get("Retry-After"), name)
		for i, want := range []Sample{
			{Latency: 50070 * time.Microsecond, Outcome: OK, Done: true},
			{Due: 6250 * time.Microsecond, Latency: 1200 * time.Microsecond, Outcome: Shed, Err: &Overloaded{RetryAfter: 2 * time.Second}},
			{Due: 12500 * time.Microsecond, Latency: 300 * time.Microsecond, Outcome: Failed, Err: errors.New(`Get "http://127.0.0.1:8080/work": EOF`)},
		} {
			assert.Equal(t, want, hits[i].Sample(start, time.Second), name)
		}
	}
}

func TestHitSample(t *testing.T) {
	for _, tt := range []struct {
		hit  Hit
		want Outcome
		err  error
	}{
		{Hit{Code: 204, Latency: 999 * ms}, OK, nil},
		{Hit{Code: 200, Latency: time.Second}, Timeout, nil},
		{Hit{Code: 503, Latency: 2 * time.Second}, Timeout, nil},
		{Hit{Code: 429, Error: "429 Too Many Requests"}, Shed, &Overloaded{}},
		{Hit{Code: 429, Header: http.Header{"Retry-After": {"0"}}}, Shed, &Overloaded{}},
		{Hit{Code: 404, Error: "404 Not Found"}, Failed, &StatusError{Status: 404}},
		{Hit{Code: 200, Error: "unexpected EOF"}, Failed, errors.New("unexpected EOF")},
		{Hit{Error: "connection refused"}, Failed, errors.New("connection refused")},
	} {
		s := tt.hit.Sample(time.Time{}, time.Second)
		assert.Equal(t, tt.want, s.Outcome, tt.hit)
		assert.Equal(t, tt.err, s.Err, tt.hit)
		assert.Equal(t, tt.want == OK, s.Done, tt.hit)
	}
}

// What is damaged is told with its line, and whatever came before it was read.
func TestReadVegetaDamaged(t *testing.T) {
	good, _, _ := strings.Cut(vegetaCSV, "\n")
	goodJSON, _, _ := strings.Cut(vegetaJSON, "\n")
	replace := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	for _, tt := range []struct {
		text, want string
		read       int
	}{
		{"", "there is no result in it", 0},
		{"\x1f\x8b", "line 1 is neither CSV nor JSON of vegeta; vegeta encode -to csv makes CSV of its own format", 0},
		{"timestamp,code\n", "line 1 is neither CSV nor JSON", 0},
		{good + "\n" + good[:20], "line 2: 2 columns, want the 12 of vegeta encode -to csv", 1},
		{good + "\n" + replace("1700000000000000000", "now"), `line 2: strconv.ParseInt: parsing "now": invalid syntax`, 1},
		{good + "\n" + replace(",200,", ",OK,"), `line 2: strconv.Atoi: parsing "OK": invalid syntax`, 1},
		{replace(",200,", ",-1,"), "line 1: code is -1, want a status, or 0", 0},
		{replace(",50070000,", ",-1,"), "line 1: latency is -1ns, want at least 0s", 0},
		{replace(",50070000,", ",1.5,"), `line 1: strconv.ParseInt: parsing "1.5": invalid syntax`, 0},
		{replace("/work,", "/work,***"), "line 1: illegal base64 data at input byte 0", 0},
		{replace("/work,", "/work,"+base64.StdEncoding.EncodeToString([]byte("no colon\r\n"))), "line 1: malformed MIME header", 0},
		{good + "\n" + good + "\n" + replace(",,", `,"open,`), `line 3, column 86: extraneous or missing " in quoted-field`, 2},
		{goodJSON + "\n{\n", "line 2: unexpected end of JSON input", 1},
		{goodJSON + "\n\n" + `{"code":200}`, "line 3: want at least code, timestamp and latency", 1},
		{goodJSON + "\n" + `{"code":"200"}`, "line 2: json: cannot unmarshal string", 1},
		{goodJSON + "\n[]", "line 2: json: cannot unmarshal array", 1},
		{`{"code":200,"timestamp":"yesterday","latency":1}`, "line 1: parsing time", 0},
		{`{"code":1000,"timestamp":"2023-11-14T22:13:20Z","latency":1}`, "line 1: code is 1000", 0},
		{goodJSON + "\n{" + strings.Repeat(" ", maxVegetaLine), "line 2: bufio.Scanner: token too long", 1},
	} {
		hits, err := readAll(strings.NewReader(tt.text))
		assert.ErrorContains(t, err, tt.want)
		assert.Len(t, hits, tt.read, tt.want)
	}
}

func TestReadVegetaErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"", vegetaCSV, vegetaJSON} {
		_, err := readAll(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		assert.ErrorIs(t, err, broken)
	}
	for _, text := range []string{vegetaCSV, vegetaJSON} {
		err := ReadVegeta(strings.NewReader(text), func(Hit) error { return broken })
		assert.ErrorIs(t, err, broken)
		assert.EqualError(t, err, "line 1: broken")
	}
}

// Whatever is in a file, there is a hit or an error for it, and no panic.
func FuzzReadVegeta(f *testing.F) {
	f.Add(vegetaCSV)
	f.Add(vegetaJSON)
	f.Add(`{"code":200,"timestamp":"9999-12-31T23:59:59Z","latency":9223372036854775807}`)
	f.Fuzz(func(t *testing.T, text string) {
		hits, err := readAll(strings.NewReader(text))
		if len(hits) == 0 && strings.TrimSpace(text) != "" && err == nil {
			t.Fatal("neither a hit nor an error")
		}
		for _, h := range hits {
			s := h.Sample(hits[0].Sent, time.Second)
			assert.NotEqual(t, NotSent, s.Outcome)
		}
	})
}
