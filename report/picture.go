package main

import "fmt"

// picture is the figure for a document. It is nil without an error for a step, or a
// mode of one, that is told by a table.
func picture(d *Document, mode string) (figure, error) {
	if len(d.Rows) > mostRows && d.Step != 8 {
		return nil, fmt.Errorf("%d rows, want at most %d for a picture", len(d.Rows), mostRows)
	}
	switch d.Step {
	case 2:
		return orNil(drawChannels(d))
	case 3, 4, 5:
		return orNil(drawOverload(d))
	case 6:
		return orNil(drawServers(d))
	case 10:
		return orNil(drawClasses(d))
	case 11:
		return orNil(drawDeadlines(d))
	case 12:
		return orNil(drawLimits(d))
	case 7:
		return orNil(drawRetries(d))
	case 9:
		switch mode {
		case "":
			return orNil(drawSweep(d, false))
		case "url", "from":
			return orNil(drawSweep(d, true))
		case "hold":
			return orNil(drawHold(d))
		}
	}
	return nil, nil
}

// mostRows is far above what a step writes. More curves have no room for their names.
const mostRows = 24

// orNil keeps a nil pointer from becoming a figure.
func orNil[F figure](f F, err error) (figure, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// errOlder is of a document that lacks what the picture is drawn of.
func errOlder(key string) error {
	return fmt.Errorf("there is no %q in it: an older version of the step wrote it, or the run ended too soon", key)
}
