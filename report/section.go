package main

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
)

// A section is what the page says about one step, or one mode of a step.
type section struct {
	ID       string // of its heading, for links
	Title    string
	Question string
	Command  string // that runs it

	Yours   view // the last run
	Virtual view // the same in virtual time

	Same       bool     // yours is a table, and virtual time has the same
	OwnScales  bool     // the two pictures have different scales
	Differ     []string // parameters that do
	Parameters []parameter
}

// A view is one document, as it is shown.
type view struct {
	File   string // as the reader knows it
	Exists bool
	Fault  string // why there is nothing below, or no picture
	*Document

	SVG   template.HTML
	Table *table

	figure figure
}

type parameter struct {
	Name, Yours, Virtual string
	Differs              bool
}

// sectionOf shows the run of a step, from out, beside the one in virtual time.
func sectionOf(step stepDir, mode, out string) (section, error) {
	file, golden := step.name, "holds.json"
	s := section{Title: fmt.Sprintf("Step %d, %s", step.number, step.word()), Command: fmt.Sprintf("make step-%d", step.number)}
	if mode != "" {
		file += "-" + mode
		golden = mode + "-holds.json"
		s.Title += " -" + mode
		s.Command = command(s.Command, mode)
	}
	s.ID = "step-" + file
	s.Yours = viewOf(filepath.Join(out, file+".json"), step, mode)
	s.Yours.File = "out/" + file + ".json"
	s.Virtual = viewOf(filepath.Join(step.path, "testdata", golden), step, mode)
	s.Virtual.File = "steps/" + step.name + "/testdata/" + golden
	for _, v := range []view{s.Yours, s.Virtual} {
		if v.Document != nil && s.Question == "" {
			s.Question = v.Question
		}
	}
	s.compare()
	return s, s.draw()
}

// command is how to run a mode of a step.
func command(makeStep, mode string) string {
	switch mode {
	case "hold":
		return makeStep + ` ARGS="-hold 60s"`
	case "url":
		return "make sweep URL=..."
	case "from":
		return makeStep + ` ARGS="-from FILE"`
	}
	return makeStep + " ARGS=-" + mode
}

// viewOf reads a document and finds out how to show it.
func viewOf(file string, step stepDir, mode string) view {
	var v view
	d, err := readDocument(file, step.number)
	if errors.Is(err, fs.ErrNotExist) {
		return v
	}
	v.Exists = true
	if err != nil {
		v.Fault = err.Error()
		return v
	}
	v.Document = d
	if v.figure, err = picture(d, mode); err == nil && v.figure == nil {
		v.Table, err = tabled(d, mode)
	}
	if err != nil {
		v.Fault = err.Error()
	}
	return v
}

// compare sets what the two have in common, and what not.
func (s *section) compare() {
	yours, virtual := s.Yours.Document, s.Virtual.Document
	if f, g := s.Yours.figure, s.Virtual.figure; f != nil && g != nil {
		s.OwnScales = !share(f, g)
	}
	s.Same = s.Yours.Table != nil && reflect.DeepEqual(s.Yours.Table, s.Virtual.Table)
	names := map[string]bool{}
	for _, d := range []*Document{yours, virtual} {
		if d != nil {
			for name := range d.Parameters {
				names[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		p := parameter{Name: name}
		if yours != nil {
			p.Yours = cell(yours.Parameters[name])
		}
		if virtual != nil {
			p.Virtual = cell(virtual.Parameters[name])
		}
		if p.Differs = yours != nil && virtual != nil && p.Yours != p.Virtual; p.Differs {
			s.Differ = append(s.Differ, name)
		}
		s.Parameters = append(s.Parameters, p)
	}
}

// draw draws both pictures.
func (s *section) draw() error {
	for _, v := range []*view{&s.Yours, &s.Virtual} {
		if v.figure == nil {
			continue
		}
		id := s.ID + "-yours"
		if v == &s.Virtual {
			id = s.ID + "-virtual"
		}
		svg, err := inline(v.figure, id)
		if err != nil {
			return fmt.Errorf("%s: %w", v.File, err)
		}
		v.SVG = template.HTML(svg)
	}
	return nil
}

// Ran is when the document was written, to the minute.
func (v view) Ran() string {
	if v.Document == nil || v.When.IsZero() {
		return ""
	}
	return v.When.Format(minute)
}

const minute = "2006-01-02 15:04"
