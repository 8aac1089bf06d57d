package main

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// checkHost returns an error unless all addresses of host are this machine's own,
// or somebody owns it. A load test at somebody else's service is an attack, and
// so is one at the wrong address.
func checkHost(ctx context.Context, host string, own bool, lookup func(context.Context, string) ([]netip.Addr, error)) error {
	addresses := []netip.Addr{}
	if a, err := netip.ParseAddr(host); err == nil {
		addresses = append(addresses, a)
	} else {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		addresses, err = lookup(ctx, host)
		if err != nil {
			return fmt.Errorf("-url: the host %q was not found: %w", host, err)
		}
	}
	if len(addresses) == 0 {
		return fmt.Errorf("-url: the host %q has no address", host)
	}
	for _, a := range addresses {
		switch {
		case a.Unmap().IsLoopback():
		case strings.EqualFold(host, "localhost"):
			return fmt.Errorf("-url: localhost is %v here, want nothing but loopback addresses; try 127.0.0.1", a)
		case !own:
			return fmt.Errorf("-url: %s is not a loopback address: to another machine a load goes only with -i-own-this-host", describeHost(host, a))
		}
	}
	return nil
}

func describeHost(host string, a netip.Addr) string {
	if host == a.String() {
		return host
	}
	return fmt.Sprintf("%s is %v, and that", host, a)
}
