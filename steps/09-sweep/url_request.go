package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// The flags that make up a request. Their errors say what was wanted.

func (o *urlOptions) setURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return errors.New("want a URL such as http://127.0.0.1:8080/work")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("want it to start with http:// or https://")
	case u.Hostname() == "":
		return errors.New("want a host in it, as in http://127.0.0.1:8080/work")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return errors.New("want a port from 1 to 65535")
		}
	}
	u.Fragment = "" // never sent
	o.url = u
	return nil
}

func (o *urlOptions) setMethod(text string) error {
	if !httpguts.ValidHeaderFieldName(text) { // both are tokens
		return errors.New("want a method such as GET or POST")
	}
	o.method = strings.ToUpper(text)
	return nil
}

func (o *urlOptions) addHeader(text string) error {
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
		return errors.New("want 'Name: value'")
	}
	o.header.Add(name, value)
	return nil
}

func (o *urlOptions) setBody(text string) error {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		o.body = []byte(text)
		return nil
	}
	const most = 1 << 20
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("want @ and a file that can be read: %w", err)
	}
	defer f.Close()
	o.body, err = io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return fmt.Errorf("want @ and a file that can be read: %w", err)
	case len(o.body) > most:
		return errors.New("want a file of at most 1 MiB")
	}
	return nil
}
