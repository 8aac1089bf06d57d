package main

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// drawn is the figure as SVG elements, without the svg element around them.
func drawn(f figure) (string, error) {
	w, h := f.size()
	canvas := vgsvg.New(w, h)
	f.paint(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return "", err
	}
	_, body, found := strings.Cut(out.String(), "\n<g ")
	if !found {
		return "", fmt.Errorf("the plotting library wrote no <g>: %.80q", out.String())
	}
	body = "<g " + strings.TrimSuffix(strings.TrimSpace(body), "</svg>")
	body = anyFont.ReplaceAllString(strings.Map(printable, body), ` style="`)
	return themed(body), nil
}

// anyFont is the font that the library measured with, which the reader need not have.
var anyFont = regexp.MustCompile(`\n?\s*style="font-family:[^;]*;font-variant:[^;]*;font-weight:[^;]*;font-style:[^;]*;`)

// printable drops what XML cannot have, as a document may.
func printable(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' {
		return -1
	}
	return r
}

func escape(s string) string { return html.EscapeString(strings.Map(printable, s)) }

// inline is the figure for a page that has the theme. The id is unique in the page.
func inline(f figure, id string) (string, error) {
	w, h := f.size()
	return element(f, fmt.Sprintf(`viewBox="0 0 %g %g"`, w.Points(), h.Points()), id, "")
}

// standalone is the figure as a file with a theme and a background of its own: an
// image follows the reader's system, and not the page around it.
func standalone(f figure) (string, error) {
	const enlarge = 1.5
	w, h := f.size()
	width, height := w.Points()+2*margin, h.Points()+2*margin
	attributes := fmt.Sprintf(`xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="-%g -%g %g %g"`,
		enlarge*width, enlarge*height, margin, margin, width, height)
	background := fmt.Sprintf(`<rect x="-%g" y="-%[1]g" width="100%%" height="100%%" style="fill:var(--paper)"/>`, margin)
	return element(f, attributes, "figure", "<style>\n"+themeCSS+fontCSS+"</style>\n"+background+"\n")
}

const (
	margin  = 10.0 // around a picture that stands alone
	fontCSS = "svg { font-family: system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", Arial, sans-serif; }\n"
)

// element is the svg element with those attributes, and with before ahead of the drawing.
func element(f figure, attributes, id, before string) (string, error) {
	body, err := drawn(f)
	if err != nil {
		return "", err
	}
	title, description := f.words()
	return fmt.Sprintf(`<svg %s role="img" aria-labelledby="%s-title %[2]s-desc">
<title id="%[2]s-title">%[3]s</title>
<desc id="%[2]s-desc">%[4]s</desc>
%[5]s%[6]s</svg>
`, attributes, id, escape(title), escape(description), before, body), nil
}
