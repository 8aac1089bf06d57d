package main

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"time"

	"example.com/sheddinglab/lab"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"mark": mark}).Parse(pageHTML))
)

// A page is the report.
type page struct {
	Made     string
	CSS      template.CSS
	Steps    int // of the lab
	Ran      int // of them by the reader
	Sections []section
}

// newPage reads what the steps have written to out, and their documents of virtual
// time. If there is not one of them to show, it
// returns an error beside the page, which has the reasons.
func newPage(steps []stepDir, out string, now time.Time) (*page, error) {
	p := &page{Made: now.Format(minute), CSS: template.CSS(themeCSS + pageCSS), Steps: len(steps)}
	anything := false
	for _, step := range steps {
		for _, mode := range append([]string{""}, step.modes(out)...) {
			s, err := sectionOf(step, mode, out)
			if err != nil {
				return p, err
			}
			if mode == "" && s.Yours.Document != nil {
				p.Ran++
			}
			anything = anything || s.Yours.Document != nil || s.Virtual.Document != nil
			p.Sections = append(p.Sections, s)
		}
	}
	if !anything {
		return p, errors.New("not one document of a step could be read")
	}
	return p, nil
}

func (p *page) write(w io.Writer) error { return pageTemplate.Execute(w, p) }

// faults are the files that could not be shown, and why.
func (p *page) faults() []string {
	var list []string
	for _, s := range p.Sections {
		for _, v := range []view{s.Yours, s.Virtual} {
			if v.Fault != "" {
				list = append(list, fmt.Sprintf("%s: %s", v.File, v.Fault))
			}
		}
	}
	return list
}

// mark is a sign for a verdict, beside the word for it.
func mark(v lab.Verdict) string {
	switch v {
	case lab.Holds:
		return "✓"
	case lab.DoesNotHold:
		return "✗"
	case lab.Inconclusive:
		return "?"
	}
	return "•"
}
