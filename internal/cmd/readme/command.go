//go:build unix

package main

import (
	"fmt"
	"net"
	"regexp"
	"strings"

	"example.com/sheddinglab/internal/texts"
)

// A command is a line of a ```sh block.
type command struct {
	line    string
	address string // where it listens if it keeps running, or ""
	at      int    // its line in the text
}

func (c command) String() string {
	text := fmt.Sprintf("README.md:%d: %s", c.at, comment.ReplaceAllString(c.line, ""))
	if c.address != "" {
		text += " (keeps running)"
	}
	return text
}

var (
	comment  = regexp.MustCompile(`\s+# [^'"]*$`)
	hostPort = regexp.MustCompile(`[\w.-]+:\d+`)
	urlHost  = regexp.MustCompile(`\bhttps?://([^/\s:'"]*)`)
)

// parse returns the commands of a text, without blank lines and those that are only a
// comment. A line that ends with a backslash goes on in the next.
func parse(text string) (commands []command, err error) {
	for _, b := range texts.Blocks(text) {
		if b.Kind != "sh" {
			continue
		}
		begun := ""
		for i, line := range b.Lines {
			line = begun + line
			var goesOn bool
			if begun, goesOn = strings.CutSuffix(line, `\`); goesOn {
				continue
			}
			begun = ""
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			c := command{line: line, at: b.Line + i}
			for _, m := range urlHost.FindAllStringSubmatch(line, -1) {
				if !loopback(m[1]) {
					return nil, fmt.Errorf("%v: it talks to %q, want loopback only", c, m[1])
				}
			}
			if b.Marker == texts.KeepsRunning {
				c.address = hostPort.FindString(line)
				if host, _, err := net.SplitHostPort(c.address); err != nil || !loopback(host) {
					return nil, fmt.Errorf("%v: it keeps running, want an address in it such as 127.0.0.1:8080", c)
				}
			}
			commands = append(commands, c)
		}
	}
	return commands, nil
}

func loopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }
