//go:build unix

// Package procs tells whether the processes of a group still run.
package procs

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Running counts the processes of the group that still run. One that has ended and
// that nobody has asked for its status (a zombie) is none: in a container whose first
// process asks for none, they stay for ever. So a signal 0 to the group would not do.
func Running(group int) (n int, err error) {
	list, err := all()
	return running(list, group), err
}

func running(list []process, group int) (n int) {
	for _, p := range list {
		if p.group == strconv.Itoa(group) && p.state[0] != 'Z' {
			n++
		}
	}
	return n
}

type process struct{ state, group string }

// all lists the processes of this machine: from /proc, or with ps where there is none.
func all() (list []process, err error) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // its only error is a bad pattern
	if len(files) == 0 {
		return withPs()
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ESRCH):
			continue // it has just ended
		case err != nil:
			return nil, err
		}
		// pid (name) state parent group ..., and a name may have spaces and brackets
		line := string(text)
		fields := strings.Fields(line[strings.LastIndex(line, ")")+1:])
		list = append(list, process{state: fields[0], group: fields[2]})
	}
	return list, nil
}

func withPs() (list []process, err error) {
	out, err := exec.Command("ps", "-A", "-o", "stat=", "-o", "pgid=").Output()
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) == 2 {
			list = append(list, process{fields[0], fields[1]})
		}
	}
	return list, err
}
