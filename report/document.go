package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"example.com/sheddinglab/lab"
)

// A Document is what a step writes about one run.
type Document struct {
	Step       int               `json:"step"`
	Name       string            `json:"name"`
	Question   string            `json:"question"`
	Complete   bool              `json:"complete"`
	Parameters map[string]any    `json:"parameters"`
	Rows       []json.RawMessage `json:"rows"` // of another kind in each step
	Notes      []string          `json:"notes"`
	Checks     []lab.Check       `json:"checks"`
	Doubts     []string          `json:"doubts"` // why the verdict is inconclusive
	Verdict    lab.Verdict       `json:"verdict"`
	KeyFigure  string            `json:"key_figure"` // what to remember; "" in older documents

	When time.Time `json:"-"` // the file was written
}

// readDocument reads a document of that step. A file that is not there is an
// [os.ErrNotExist], and nothing else is.
func readDocument(file string, step int) (*Document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("not the document of a run: %w", err)
	}
	if d.Step != step {
		return nil, fmt.Errorf("a document of step %d, want step %d", d.Step, step)
	}
	if d.Verdict == "" {
		return nil, errors.New("a document without a verdict")
	}
	if info, err := os.Stat(file); err == nil {
		d.When = info.ModTime()
	}
	return &d, nil
}

// errNothing is of a run that ended before there was anything to draw.
var errNothing = errors.New("the run ended before there was anything to draw")

// rows reads the rows of d that are objects of that type.
func rows[T any](d *Document) ([]T, error) {
	if len(d.Rows) == 0 {
		return nil, errNothing
	}
	list := make([]T, len(d.Rows))
	for i, row := range d.Rows {
		if err := json.Unmarshal(row, &list[i]); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return list, nil
}

// number is a parameter of d, or 0 if it has no such number.
func (d *Document) number(parameter string) float64 {
	n, _ := d.Parameters[parameter].(float64)
	if !(n >= 0 && n <= maxAmount) {
		return 0
	}
	return n
}

// maxAmount is far above every count and time of the lab, and far below what the
// arithmetic of a picture can bear.
const maxAmount = 1e9

// An amount is a number that a picture can show. A field of type *amount is nil
// where a document has null, or nothing.
type amount float64

// UnmarshalJSON refuses null, negative numbers, and what is too large for a picture.
func (a *amount) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(n >= 0 && n <= maxAmount) {
		return fmt.Errorf("%.20s where a number from 0 to %g is wanted", text, maxAmount)
	}
	*a = amount(n)
	return nil
}
