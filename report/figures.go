package main

import (
	"fmt"
	"io"
	"path/filepath"
)

// readmeFigure is the picture of a step in virtual time, as its README shows it, and
// "" for a step that has none.
func readmeFigure(step stepDir) (string, error) {
	golden := filepath.Join(step.path, "testdata", "holds.json")
	d, err := readDocument(golden, step.number)
	if err != nil {
		return "", fmt.Errorf("%s: %w", golden, err)
	}
	f, err := picture(d, "")
	if err != nil {
		return "", fmt.Errorf("%s: %w", golden, err)
	}
	if f == nil {
		return "", nil
	}
	return standalone(f)
}

func figureFile(step stepDir) string { return filepath.Join(step.path, "figure.svg") }

// writeFigures writes the pictures of all READMEs.
func writeFigures(steps []stepDir, stdout io.Writer) error {
	for _, step := range steps {
		svg, err := readmeFigure(step)
		if err != nil {
			return err
		}
		if svg == "" {
			continue
		}
		file := figureFile(step)
		if err := replace(file, func(w io.Writer) error { _, err := io.WriteString(w, svg); return err }); err != nil {
			return err
		}
		fmt.Fprintln(stdout, file)
	}
	return nil
}
