// Docs weaves into the texts for readers what their markers ask for: see package
// texts. It rewrites those that differ, and none of them if it finds a fault.
//
//	make docs
//	go run ./internal/cmd/docs .    # the root of the repository
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.com/sheddinglab/internal/texts"
	"example.com/sheddinglab/lab"
)

func main() { lab.Main(run) }

func run(_ context.Context, args []string, stdout, _ io.Writer) error {
	if len(args) != 1 {
		return lab.Usage(fmt.Errorf("%d arguments were given, want one: the root of the repository", len(args)))
	}
	root := args[0]
	repo := os.DirFS(root)
	names, err := texts.Names(repo)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return lab.Usage(fmt.Errorf("there are no texts in %q, want the root of the repository", root))
	}
	woven := map[string]string{}
	for _, name := range names {
		if woven[name], err = texts.Weave(repo, name); err != nil {
			return err
		}
	}
	for _, name := range names {
		file := filepath.Join(root, filepath.FromSlash(name))
		old, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if string(old) == woven[name] {
			continue
		}
		if err := os.WriteFile(file, []byte(woven[name]), 0o644); err != nil {
			return err
		}
		fmt.Fprintln(stdout, "woven anew:", name)
	}
	return nil
}
