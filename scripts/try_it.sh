#!/usr/bin/env bash
# Asks the demo service for work 20 times at the same moment, with curl.
#
# The service is that of step 6, with 4 slots, no line and a second of work. So 4
# get their answer and 16 are turned away at once. This script builds it, starts
# it on a port that the system chooses, and stops it at the end, whatever the end.
#
# Exit status: 0 if that is what came back, 1 if not, 2 if the service cannot be
# built or started, 3 if curl or Go is missing, 130 after Ctrl-C.
set -euo pipefail

for tool in curl go; do
  if ! command -v "$tool" >/dev/null; then
    echo "try_it.sh needs $tool, and there is none in PATH" >&2
    exit 3
  fi
done

here=.
case $0 in */*) here=${0%/*} ;; esac
CDPATH='' cd -- "$here/.."

dir=
clean_up() {
  trap '' INT TERM HUP
  # shellcheck disable=SC2046 # process ids, of the server and of curls
  kill $(jobs -p) 2>/dev/null || true
  wait
  rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
dir=$(mktemp -d "${TMPDIR:-/tmp}/try_it.XXXXXX")

go build -o out/bin/ ./steps/06-http || exit 2

# The address is read from this server and no other. env -i keeps settings such as
# MAX_WAITING away from it.
mkfifo "$dir/printed"
env -i out/bin/06-http serve -addr=127.0.0.1:0 -guard=controller -slots=4 -max-waiting=0 -max-wait=0 \
  -service-time=1s -retry-after=1s -drain=0 >"$dir/printed" 2>"$dir/errors" &
exec 3<"$dir/printed" # open until the end, or the server could not print any more
line=
read -r -t 30 line <&3 || true
url=${line#listening on }
if [ "$url" = "$line" ]; then
  echo "the service did not start:" >&2
  cat "$dir/errors" >&2
  exit 2
fi

echo "20 requests at the same moment to $url/work: 4 slots, no line, 1 s of work"
clients=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  curl -q --silent --show-error --include --noproxy '*' --max-time 20 "$url/work" >"$dir/answer.$i" 2>&1 &
  clients="$clients $!"
done
# shellcheck disable=SC2086 # process ids
wait $clients || true # what went wrong is among the answers

# What differs from one answer to the next, or says nothing, is left out.
got=$(cat "$dir"/answer.* | tr -d '\r' |
  grep -v -E -i '^(date|content-[a-z]*):|^$' | LC_ALL=C sort | uniq -c |
  awk '{ n = $1; sub(/^ *[0-9]+ /, ""); printf "%4d x %s\n", n, $0 }') || true
want='   4 x HTTP/1.1 200 OK
  16 x HTTP/1.1 503 Service Unavailable
  16 x Retry-After: 1
  16 x {"error":"overloaded","reason":"line_full"}
   4 x {"result":"done"}'

echo "$got"
if [ "$got" = "$want" ]; then
  echo "right: 4 were served, and 16 were told at once when to come back"
else
  printf 'wrong, want:\n%s\n' "$want"
  exit 1
fi
