package lab

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"time"
)

// A Hit is one request of the load generator vegeta, and what came of it.
type Hit struct {
	Attack  string // the name its load was given
	Sent    time.Time
	Latency time.Duration // from the send: vegeta does not count from due
	Code    int           // status of the answer, 0 if there was none
	Error   string        // what was wrong, and empty for a success
	Header  http.Header   // of the answer; nil if it was not recorded
}

// Sample returns the hit as a client with this patience sees it, due when it was
// sent, which is start or later.
func (h Hit) Sample(start time.Time, patience time.Duration) Sample {
	s := Sample{Due: h.Sent.Sub(start), Latency: h.Latency}
	switch {
	case h.Latency >= patience:
		s.Outcome = Timeout
	case h.Code/100 == 2 && h.Error == "":
		s.Outcome, s.Done = OK, true
	case h.Code == http.StatusServiceUnavailable, h.Code == http.StatusTooManyRequests:
		s.Outcome, s.Err = Shed, &Overloaded{RetryAfter: RetryAfter(h.Header, h.Sent.Add(h.Latency))}
	case h.Code == 0, h.Code/100 == 2: // a broken answer has a status too
		s.Outcome, s.Err = Failed, errors.New(h.Error)
	default:
		s.Outcome, s.Err = Failed, &StatusError{Status: h.Code}
	}
	return s
}

// maxVegetaLine bounds one result in JSON, whose body is in it: 16 MiB.
const maxVegetaLine = 16 << 20

// ReadVegeta reads what vegeta encode wrote, -to csv or -to json, and calls add for
// every hit, in the order of the file. Errors: those of r and of add, and a result
// that cannot be read, with the number of its line.
func ReadVegeta(r io.Reader, add func(Hit) error) error {
	in := bufio.NewReader(r)
	first, err := in.Peek(1)
	switch {
	case err == io.EOF:
		return errors.New("there is no result in it")
	case err != nil:
		return err
	case first[0] == '{':
		return readVegetaJSON(in, add)
	case '0' <= first[0] && first[0] <= '9':
		return readVegetaCSV(in, add)
	}
	return errors.New("line 1 is neither CSV nor JSON of vegeta; vegeta encode -to csv makes CSV of its own format")
}

func readVegetaJSON(r io.Reader, add func(Hit) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxVegetaLine)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var v struct {
			Attack    string
			Code      *int
			Timestamp *time.Time
			Latency   *int64
			Error     string
			Headers   http.Header
		}
		err := json.Unmarshal(lines.Bytes(), &v)
		if err == nil && (v.Code == nil || v.Timestamp == nil || v.Latency == nil) {
			err = errors.New("want at least code, timestamp and latency")
		}
		if err == nil {
			err = addHit(add, Hit{v.Attack, *v.Timestamp, time.Duration(*v.Latency), *v.Code, v.Error, v.Headers})
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

func readVegetaCSV(r io.Reader, add func(Hit) error) error {
	const columns = 12 // timestamp, code, latency, out, in, error, body, attack, seq, method, URL, headers
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1 // the number is checked below, with a clearer text
	in.ReuseRecord = true
	for {
		row, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err // it names the line
		}
		line, _ := in.FieldPos(0)
		if len(row) != columns {
			return fmt.Errorf("line %d: %d columns, want the %d of vegeta encode -to csv", line, len(row), columns)
		}
		sent, err1 := strconv.ParseInt(row[0], 10, 64)
		code, err2 := strconv.Atoi(row[1])
		latency, err3 := strconv.ParseInt(row[2], 10, 64)
		header, err4 := parseVegetaHeader(row[11])
		err = errors.Join(err1, err2, err3, err4)
		if err == nil {
			err = addHit(add, Hit{row[7], time.Unix(0, sent), time.Duration(latency), code, row[5], header})
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

func addHit(add func(Hit) error, h Hit) error {
	if h.Latency < 0 {
		return fmt.Errorf("latency is %v, want at least 0s", h.Latency)
	}
	if h.Code < 0 || h.Code > 999 {
		return fmt.Errorf("code is %d, want a status, or 0", h.Code)
	}
	return add(h)
}

// parseVegetaHeader reads the header of an answer: lines as in HTTP, in base64.
func parseVegetaHeader(text string) (http.Header, error) {
	lines, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	in := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(lines, "\r\n\r\n"...))))
	header, err := in.ReadMIMEHeader()
	return http.Header(header), err
}
