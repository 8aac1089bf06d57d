package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/sheddinglab/lab"
)

// Bad usage is one line, status 2, before anything is sent: there is no network.
func TestSweepURLUsage(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	require.NoError(t, os.WriteFile(large, make([]byte, 1<<20+1), 0o644))
	const u = "-url=http://127.0.0.1/"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{}, "-url is missing, want one such as http://127.0.0.1:8080/work"},
		{[]string{"-url="}, `invalid value "" for flag -url: want it to start with http:// or https://; -h lists the flags`},
		{[]string{"-url=ftp://127.0.0.1/"}, `invalid value "ftp://127.0.0.1/" for flag -url: want it to start with http:// or https://; -h lists the flags`},
		{[]string{"-url=localhost:8080"}, `invalid value "localhost:8080" for flag -url: want it to start with http:// or https://; -h lists the flags`},
		{[]string{"-url=http:///work"}, `invalid value "http:///work" for flag -url: want a host in it, as in http://127.0.0.1:8080/work; -h lists the flags`},
		{[]string{"-url=http://:8080/work"}, `invalid value "http://:8080/work" for flag -url: want a host in it, as in http://127.0.0.1:8080/work; -h lists the flags`},
		{[]string{"-url=http://[::1"}, `invalid value "http://[::1" for flag -url: want a URL such as http://127.0.0.1:8080/work; -h lists the flags`},
		{[]string{"-url=http://127.0.0.1:99999"}, `invalid value "http://127.0.0.1:99999" for flag -url: want a port from 1 to 65535; -h lists the flags`},
		{[]string{u, "-method=GET /"}, `invalid value "GET /" for flag -method: want a method such as GET or POST; -h lists the flags`},
		{[]string{u, "-H=none"}, `invalid value "none" for flag -H: want 'Name: value'; -h lists the flags`},
		{[]string{u, "-H=A B: c"}, `invalid value "A B: c" for flag -H: want 'Name: value'; -h lists the flags`},
		{[]string{u, "-H=A: c\nd"}, `invalid value "A: c\nd" for flag -H: want 'Name: value'; -h lists the flags`},
		{[]string{u, "-body=@" + large}, `invalid value "@` + large + `" for flag -body: want a file of at most 1 MiB; -h lists the flags`},
		{[]string{u, "-multiples=1,0"}, `invalid value "1,0" for flag -multiples: want numbers above 0, such as 0.5,1,2, and at most 100 of them; -h lists the flags`},
		{[]string{u, "-rates=NaN"}, `invalid value "NaN" for flag -rates: want numbers above 0, such as 0.5,1,2, and at most 100 of them; -h lists the flags`},
		{[]string{u, "-rates=" + strings.Repeat("1,", 100) + "1"}, "and at most 100 of them"},
		{[]string{u, "-rates=1", "-multiples=2"}, `invalid value "2" for flag -multiples: want either -multiples or -rates; -h lists the flags`},
		{[]string{u, "-multiples=2", "-rates=1"}, `invalid value "1" for flag -rates: want either -multiples or -rates; -h lists the flags`},
		{[]string{u, "-keep-alive=perhaps"}, `invalid boolean value "perhaps" for -keep-alive: parse error; -h lists the flags`},
		{[]string{u, "-connections=0"}, `invalid value "0" for flag -connections: want a whole number from 1 to 100000; -h lists the flags`},
		{[]string{u, "-json", "-csv"}, "-json and -csv were given, want one of them"},
		{[]string{u, "-rates=1000.1"}, "1000.1/s are above -max-rate, which is 1000: raise it if the service is yours, and whatever else it runs on"},
		{[]string{u, "-capacity=600"}, "1200/s are above -max-rate, which is 1000: raise it if the service is yours, and whatever else it runs on"},
		{[]string{u, "-rates=0.01"}, "open loop: 0.01/s for 6s is not one request"},
		{[]string{u, "-rates=1000", "-duration=10h"}, "open loop: 1000/s for 10h0m1s is 3.6e+07 requests, want at most 10000000"},
		{[]string{u, "-rates=1e8", "-max-rate=1e9", "-connections=100000", "-patience=1h", "-duration=10ms", "-warm-up=10ms"}, "can take 100000 connections at once, and this process may have"},
		{[]string{"-url=http://10.1.2.3/"}, "-url: 10.1.2.3 is not a loopback address: to another machine a load goes only with -i-own-this-host"},
	} {
		if strings.Contains(tt.want, "this process may have") && lab.MaxDescriptors() > 100_000 {
			continue // nothing to run out of
		}
		err := sweepVia(t.Context(), tt.args, io.Discard, io.Discard, network{})
		assert.ErrorContains(t, err, tt.want)
		status, said := lab.ExitStatus(err)
		assert.Equal(t, 2, status, tt.args)
		assert.False(t, said)
		assert.NotContains(t, err.Error(), "\n")
	}
	err := sweepVia(t.Context(), []string{u, "-body=@" + filepath.Join(dir, "none")}, io.Discard, io.Discard, network{})
	assert.ErrorContains(t, err, "want @ and a file that can be read: open ")
}

func TestSweepURLHelp(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		parts []string
	}{
		{[]string{"-url", "-h"}, []string{"finds the capacity", "-H 'Name: value'", "(default 0.5,1,1.5,2,4)", "-i-own-this-host", "-from -h"}},
		{[]string{"-from", "-h"}, []string{"vegeta encode -to csv", "vegeta counts latency from the send", "-patience"}},
	} {
		var stdout strings.Builder
		assert.ErrorIs(t, sweepURL(t.Context(), tt.args, &stdout, io.Discard), flag.ErrHelp)
		for _, part := range tt.parts {
			assert.Contains(t, stdout.String(), part)
		}
	}
}

func TestBodyFromFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "body")
	require.NoError(t, os.WriteFile(file, []byte("{}\n"), 0o644))
	var o urlOptions
	require.NoError(t, o.setBody("@"+file))
	assert.Equal(t, "{}\n", string(o.body))
	require.NoError(t, o.setBody("as it is"))
	assert.Equal(t, "as it is", string(o.body))
}

func TestCheckHost(t *testing.T) {
	addresses := map[string]string{
		"localhost": "127.0.0.1 ::1", "LOCALHOST": "127.0.0.1 192.168.1.2", "me.test": "127.0.1.1",
		"shop.test": "127.0.0.1 93.184.216.34", "mapped.test": "::ffff:127.0.0.1",
	}
	lookup := func(ctx context.Context, host string) (found []netip.Addr, err error) {
		if _, limited := ctx.Deadline(); !limited {
			return nil, errors.New("a lookup without a limit")
		}
		for a := range strings.FieldsSeq(addresses[host]) {
			found = append(found, netip.MustParseAddr(a))
		}
		if found == nil {
			err = errors.New("no such host")
		}
		return found, err
	}
	for _, tt := range []struct {
		host string
		own  bool
		want string
	}{
		{"127.0.0.1", false, ""},
		{"127.255.0.9", false, ""},
		{"::1", false, ""},
		{"localhost", false, ""},
		{"me.test", false, ""},
		{"mapped.test", false, ""},
		{"10.0.0.1", true, ""},
		{"shop.test", true, ""},
		{"10.0.0.1", false, "-url: 10.0.0.1 is not a loopback address: to another machine a load goes only with -i-own-this-host"},
		{"0.0.0.0", false, "-url: 0.0.0.0 is not a loopback address: to another machine a load goes only with -i-own-this-host"},
		{"fe80::1%eth0", false, "-url: fe80::1%eth0 is not a loopback address: to another machine a load goes only with -i-own-this-host"},
		{"shop.test", false, "-url: shop.test is 93.184.216.34, and that is not a loopback address: to another machine a load goes only with -i-own-this-host"},
		{"LOCALHOST", true, "-url: localhost is 192.168.1.2 here, want nothing but loopback addresses; try 127.0.0.1"},
		{"nowhere.test", true, `-url: the host "nowhere.test" was not found: no such host`},
	} {
		err := checkHost(t.Context(), tt.host, tt.own, lookup)
		if tt.want == "" {
			assert.NoError(t, err, tt.host)
		} else {
			assert.EqualError(t, err, tt.want)
		}
	}
}

func TestTooMuchConnections(t *testing.T) {
	o := newURLOptions(lab.NewStep(9, "sweep", "?"))
	*o.maxRate = 1e9
	*o.warmUp, *o.duration = time.Millisecond, 99*time.Millisecond
	most := float64(lab.MaxDescriptors())
	if most > 50_000 {
		most = 50_000 // there may be no limit
	}
	*o.connections = 100_000
	assert.NoError(t, o.tooMuch(most/2, 0))
	if lab.MaxDescriptors() <= 50_000 {
		assert.ErrorContains(t, o.tooMuch(most, 0), "raise that with ulimit -n, lower -patience, or set -connections")
		assert.Error(t, o.tooMuch(most/2, int(most/2)), "the closed loop has left some")
	}
	*o.connections = 100
	assert.NoError(t, o.tooMuch(most, 0))
}
