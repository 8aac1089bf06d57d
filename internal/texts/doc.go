// Package texts keeps the texts for readers true: what they quote is woven in from
// the file it stands in, and what they name is held against the repository by the
// tests of this package.
//
// A marker is an HTML comment on a line of its own, directly above what it is about.
// Files are named relative to the text.
//
//	<!-- golden: testdata/holds.txt -->
//	<!-- golden: testdata/holds.txt, from "policy" to "peak line" -->
//
// weave output into a ```text block: all of it, or the lines from the one that begins
// with the first words to the next that ends with the others.
//
//	<!-- source: main.go run Controller.Do -->
//	<!-- source: main.go, from "runs, err :=" to "}" -->
//
// weave Go code into a ```go block: declarations without their doc comments, or lines
// without the indentation that they have in common. The last line is not indented
// deeper than the first, so that "}" is the end of what the first one begins.
//
//	<!-- checks: testdata/holds.json -->
//	<!-- end -->
//
// weave a list of a step's claims between the two, from the JSON document of a run.
//
//	<!-- keeps running -->
//
// says of the ```sh block below it that its command does not end by itself.
package texts

//go:generate go run ../cmd/docs ../..
