package texts_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/sheddinglab/internal/texts"
	"github.com/stretchr/testify/require"
)

// Everything that the texts name is there: commands, targets of make, flags, paths
// and identifiers.
func TestNames(t *testing.T) {
	r := newRepository(t)
	t.Run("faults are found", func(t *testing.T) { testNamesWrong(t, r) })
	t.Run("and no others", func(t *testing.T) { testNamesRight(t, r) })
	names, err := texts.Names(r.files)
	require.NoError(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(r.files, name)
		require.NoError(t, err)
		for _, fault := range r.faults(name, string(text)) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// A repository is what the texts may name.
type repository struct {
	root     string
	files    fs.FS
	programs programs
	makefile makefile
	exported map[string]bool // such as lab.Controller and lab.Controller.Do
	module   string
	modules  []string // that it needs, or one of those within it
	goroot   string

	testFlags []string // of go test
}

// required is a line of go.mod.
var required = regexp.MustCompile(`(?m)^\t(\S+) v\d`)

func newRepository(t *testing.T) *repository {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	r := &repository{root: root, files: os.DirFS(root), exported: map[string]bool{}}
	r.programs = buildPrograms(t, root)
	r.makefile = readMakefile(t, r.files)
	r.goroot = goTool(t, root, "env", "GOROOT")
	r.testFlags = flagsIn(goTool(t, root, "help", "testflag"))
	r.module = goTool(t, root, "list", "-m")
	goMods, err := fs.Glob(r.files, "*/go.mod")
	require.NoError(t, err)
	for _, file := range append(goMods, "go.mod") {
		goMod, err := fs.ReadFile(r.files, file)
		require.NoError(t, err)
		for _, m := range required.FindAllStringSubmatch(string(goMod), -1) {
			r.modules = append(r.modules, m[1])
		}
	}
	for _, dir := range []string{"lab", "lab/labtest", "lab/broken"} {
		r.addExported(t, dir)
	}
	return r
}

// faults are the names in a text of which there is nothing. name is the text's file.
func (r *repository) faults(name, text string) (faults []string) {
	add := func(where string, err error) {
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", where, err))
		}
	}
	for _, b := range texts.Blocks(text) {
		switch b.Kind {
		case "sh":
			script := strings.ReplaceAll(strings.Join(b.Lines, "\n"), "\\\n", "")
			for line := range strings.Lines(script) {
				add(strings.TrimSpace(line), r.command(line))
			}
		case "go":
			for _, line := range b.Lines {
				add(line, r.identifiers(line))
			}
		}
	}
	for _, code := range inlineCode(text) {
		switch {
		case isCommand(code):
			add(code, r.command(code))
		case flagWord.MatchString(code):
			add(code, r.flags(name, code))
		case pathWord.MatchString(code):
			add(code, r.path(path.Dir(name), code))
		default:
			add(code, r.identifiers(code))
		}
	}
	return faults
}

// prose is text without its blocks of code and its comments.
func prose(text string) string {
	lines := strings.Split(text, "\n")
	for _, b := range texts.Blocks(text) {
		clear(lines[b.Line-2 : min(b.Line+len(b.Lines), len(lines))])
	}
	for i, line := range lines {
		if strings.HasPrefix(line, "<!--") {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// inlineCode are the `pieces of code` in the prose, each on one line.
func inlineCode(text string) (code []string) {
	for paragraph := range strings.SplitSeq(prose(text), "\n\n") {
		for _, m := range codeSpan.FindAllStringSubmatch(paragraph, -1) {
			code = append(code, strings.Join(strings.Fields(m[1]), " "))
		}
	}
	return code
}

var pathWord = regexp.MustCompile(`^[\w.*-]*(/[\w.*-]+)+/?$|^[\w.*-]+/$|^[\w*-]+\.(go|md|json|txt|csv|sh|mod|html)$|^http://127`)

// path finds a file, as seen from the directory of the text or from the root. The files
// of an exercise, given or to be written, lie beside its text when they are in work.
// It also knows what the Makefile and the programs make, the packages of the standard
// library and of other modules, and the paths of the service.
func (r *repository) path(dir, name string) error {
	if url := host.ReplaceAllString(name, ""); strings.HasPrefix(url, "/") {
		return servicePath(url)
	}
	for _, dir := range []string{dir, dir + "/given", dir + "/solution", "."} {
		if found, err := fs.Glob(r.files, path.Join(dir, strings.ReplaceAll(name, "NAME", "*"))); err == nil && found != nil {
			return nil
		}
	}
	switch {
	case name == "application/json", r.made(name):
		return nil
	case strings.HasPrefix(name, "out/bin/"):
		return r.exists("steps", path.Base(name))
	case slices.ContainsFunc(r.modules, func(module string) bool { return name == module || strings.HasPrefix(name, module+"/") }):
		return nil
	}
	if _, err := os.Stat(filepath.Join(r.goroot, "src", name)); err == nil && !strings.HasPrefix(name, ".") {
		return nil
	}
	return fmt.Errorf("there is no %s", name)
}

// made reports whether name is something that the Makefile and the programs make.
func (r *repository) made(name string) bool {
	name = strings.TrimSuffix(name, "/")
	if exercise, ok := strings.CutPrefix(name, "work/"); ok {
		return r.exists("exercises", exercise) == nil
	}
	return slices.Contains([]string{"out", "out/bin", "out/capacity.json", "out/report.html", "out/bench-NAME.txt", "work"}, name)
}

var host = regexp.MustCompile(`^http://127\.0\.0\.1:\d+`)

func servicePath(url string) error {
	if !slices.Contains([]string{"/work", "/health", "/stats"}, url) {
		return fmt.Errorf("the service has no %s", url)
	}
	return nil
}

var identifier = regexp.MustCompile(`\b(?:lab|labtest|broken)\.[A-Z]\w*(?:\.[A-Z]\w*)?`)

// identifiers finds the exported names of the lab's packages.
func (r *repository) identifiers(code string) error {
	for _, name := range identifier.FindAllString(code, -1) {
		if !r.exported[name] {
			return fmt.Errorf("there is no %s", name)
		}
	}
	return nil
}

// addExported adds what a package exports, with the methods and fields of its types.
func (r *repository) addExported(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.root, dir, "*.go"))
	require.NoError(t, err)
	add := func(names ...string) { r.exported[path.Base(dir)+"."+strings.Join(names, ".")] = true }
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.FileExports(f)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil {
					add(n.Name.Name)
				} else {
					add(strings.TrimPrefix(types.ExprString(n.Recv.List[0].Type), "*"), n.Name.Name)
				}
				return false
			case *ast.ValueSpec:
				for _, name := range n.Names {
					add(name.Name)
				}
			case *ast.TypeSpec:
				add(n.Name.Name)
				ast.Inspect(n.Type, func(m ast.Node) bool {
					if field, ok := m.(*ast.Field); ok {
						for _, name := range field.Names {
							add(n.Name.Name, name.Name)
						}
					}
					return true
				})
			}
			return true
		})
	}
}
