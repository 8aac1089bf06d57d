# A front for the go commands: every step also runs as go run ./steps/0N-name.
# Flags reach a step with ARGS, as in make step-3 ARGS="-duration 2s".

.DEFAULT_GOAL := help
.PHONY: help build lab sweep test check try-it clean

STEPS := $(notdir $(sort $(wildcard steps/[0-9][0-9]-*)))
ARGS ?=

help:
	@echo "make step-N   run step N on the wall clock; flags: ARGS=\"-duration 2s\", list: ARGS=-h"
	@echo "make lab      run all steps in order, up to the first whose claims do not hold"
	@echo "make sweep    load test your own service: URL=http://127.0.0.1:8080/work"
	@echo "make try-it   twenty requests at once, with curl"
	@echo "make test     check every figure in virtual time"
	@echo "make check    vet, format and race detector"
	@echo "make clean    remove out/, with the measured capacity in it"
	@echo
	@echo "steps: $(STEPS)" | fold -s -w 80

# The steps are built and not run by go run, which would hide their exit status.
build:
	@go build -o out/bin/ ./steps/...

# Step N, also written 0N. All but 1, 2, 6 and 8 need the capacity that step 1 measures.
step-%: build
	@n=$*; n=$${n#0}; \
	case $$n in [0-9]) n=0$$n;; esac; \
	for step in $(STEPS); do \
		case $$step in $$n-*) \
			case $$n in 01|02|06|08) ;; *) \
				if [ ! -e out/capacity.json ]; then \
					{ echo "The capacity comes first:"; \
					out/bin/01-calibrate || [ $$? -eq 3 ] || exit; \
					echo; } >&2; \
				fi;; \
			esac; \
			exec out/bin/$$step $(ARGS);; \
		esac; \
	done; \
	echo "there is no step $*; the steps are: $(STEPS)" | fold -s -w 80 >&2; exit 2

# An inconclusive step stops nothing, and is told at the end.
lab: build
	@unsure=; \
	for step in $(STEPS); do \
		out/bin/$$step; status=$$?; \
		echo; \
		case $$status in \
			0) ;; \
			3) unsure="$$unsure $$step";; \
			*) echo "stopped at $$step" >&2; exit $$status;; \
		esac; \
	done; \
	if [ -n "$$unsure" ]; then echo "inconclusive:$$unsure" >&2; exit 3; fi; \
	echo "every claim holds"

sweep: build
	@[ -n "$(URL)" ] || { echo "usage: make sweep URL=http://127.0.0.1:8080/work" >&2; exit 2; }
	@out/bin/09-sweep -url "$(URL)" $(ARGS)

try-it:
	@bash scripts/try_it.sh

test:
	go test -timeout 120s ./...

check:
	go vet ./...
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted" >&2; exit 1; fi
	go test -race -timeout 300s ./...

clean:
	rm -rf out
