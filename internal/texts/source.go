package texts

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// named are a file and the names of declarations in it.
var named = regexp.MustCompile(`^([^ ,]+)((?: [\w.]+)+)$`)

// source quotes Go code.
func (w weaver) source(what string) ([]string, error) {
	if m := named.FindStringSubmatch(what); m != nil {
		code, err := w.read(m[1])
		if err != nil {
			return nil, err
		}
		return declarations(string(code), strings.Fields(m[2]))
	}
	m := extract.FindStringSubmatch(what)
	if m == nil || m[2] == "" {
		return nil, fmt.Errorf("want FILE and names of declarations, or FILE, from %q to %q", "WORDS", "WORDS")
	}
	code, err := w.read(m[1])
	if err != nil {
		return nil, err
	}
	lines, err := between(strings.Split(string(code), "\n"), m[2], m[3], 0)
	if err != nil {
		return nil, err
	}
	return unindented(lines), nil
}

// declarations returns the declarations of these names, in this order, without their
// doc comments and with a blank line between them.
func declarations(code string, names []string) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", code, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	all := strings.Split(code, "\n")
	var lines []string
	for _, name := range names {
		i := slices.IndexFunc(file.Decls, func(d ast.Decl) bool { return slices.Contains(declared(d), name) })
		if i < 0 {
			return nil, fmt.Errorf("nothing of the name %s is declared", name)
		}
		d := file.Decls[i]
		if lines != nil {
			lines = append(lines, "")
		}
		lines = append(lines, all[files.Position(d.Pos()).Line-1:files.Position(d.End()).Line]...)
	}
	return lines, nil
}

// declared returns the names that a declaration declares: that of a method has its
// type in front, and a group has several.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		receiver := types.ExprString(d.Recv.List[0].Type)
		return []string{strings.TrimPrefix(receiver, "*") + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// unindented returns lines without the indentation that they have in common.
func unindented(lines []string) []string {
	common := depth(lines[0])
	for _, line := range lines {
		if line != "" {
			common = min(common, depth(line))
		}
	}
	cut := make([]string, len(lines))
	for i, line := range lines {
		cut[i] = line[min(common, len(line)):]
	}
	return cut
}
