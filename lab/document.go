package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// document is the report as JSON.
type document struct {
	Step       int            `json:"step"`
	Name       string         `json:"name"`
	Question   string         `json:"question"`
	Complete   bool           `json:"complete"`
	Parameters map[string]any `json:"parameters"`
	Rows       []any          `json:"rows"`
	Notes      []string       `json:"notes"`
	Checks     []Check        `json:"checks"`
	Doubts     []string       `json:"doubts,omitempty"` // why the verdict is inconclusive
	Verdict    Verdict        `json:"verdict"`
	KeyFigure  string         `json:"key_figure,omitempty"`
}

func (s *Step) document(checks []Check, verdict Verdict, complete bool) document {
	parameters := map[string]any{}
	for _, p := range s.flags.parameters {
		parameters[p.key] = p.json()
	}
	return document{s.number, s.name, s.question, complete, parameters, s.rows, s.notes, checks, s.doubts, verdict, s.keyFigure}
}

// numbers is an array of nothing but numbers, one on each line.
var numbers = regexp.MustCompile(`\[\n[-+.0-9eE,\s]*\]`)

// encode is the document as a person would write it, with an array of numbers on
// one line.
func (d document) encode() ([]byte, error) {
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, err
	}
	text = numbers.ReplaceAllFunc(text, func(array []byte) []byte {
		array = bytes.Join(bytes.Fields(array), []byte(" "))
		return bytes.ReplaceAll(bytes.ReplaceAll(array, []byte("[ "), []byte("[")), []byte(" ]"), []byte("]"))
	})
	return append(text, '\n'), nil
}

// documentFile is where a step keeps the document of its last run.
func (s *Step) documentFile() string {
	name := s.dirName()
	if s.mode != "" {
		name += "-" + s.mode
	}
	return filepath.Join(s.dir, name+".json")
}

// keep writes data to a file, whose directory it makes if it must. The file is there
// whole or not at all.
func keep(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unfinished := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	defer os.Remove(unfinished) // fails once the file has its name
	if err := os.WriteFile(unfinished, data, 0o644); err != nil {
		return err
	}
	return os.Rename(unfinished, name)
}
