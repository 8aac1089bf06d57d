package lab

import "errors"

// What a step needs that has flags of its own kinds.

// Param defines a parameter of any kind: set reads it, and text shows it. One
// whose text is empty is not shown, and null in JSON. A flag that is given twice is
// set twice.
func (s *Step) Param(name, usage string, set func(text string) error, text func() string) {
	s.flags.parameter(name, "", usage, set, text, func() any {
		if text() == "" {
			return nil
		}
		return text()
	})
}

// Files defines a parameter that is one file or several: those after all flags
// belong to it too, so that the shell can list them.
func (s *Step) Files(name, usage string) *[]string {
	var files []string
	s.flags.files = &files
	s.flags.Func(name, usage, func(file string) error {
		if file == "" {
			return errors.New("want the name of a file")
		}
		files = append(files, file)
		return nil
	})
	return &files
}

// CSV defines the flag -csv. With it, standard output is left to the caller, and
// the report goes to standard error.
func (s *Step) CSV() *bool {
	s.flags.BoolVar(&s.asCSV, "csv", false, "print the rows as CSV, and the report to standard error")
	return &s.asCSV
}

// About sets what -h says between the question and the flags.
func (s *Step) About(text string) { s.about = "\n\n" + text }
