# A front for the go commands: every step also runs as go run ./steps/0N-name.
# Flags reach a step with ARGS, as in make step-3 ARGS="-multiple 3".

.DEFAULT_GOAL := help
.PHONY: help build lab report docs sweep test check bench try-it clean
.NOTPARALLEL: # a measurement wants the machine to itself, with make -j too
MAKEFLAGS += --no-builtin-rules
# report/ and bench/ are modules of their own, whatever workspace this is in.
export GOWORK := off

STEPS := $(notdir $(sort $(wildcard steps/[0-9][0-9]-*)))
ARGS ?=

help:
	@echo "make step-N   run step N; flags: ARGS=\"-multiple 3\"; ARGS=-h lists them"
	@echo "make lab      run all steps, and show a scoreboard at the end"
	@echo "make report   draw what you have measured: out/report.html"
	@echo
	@echo "make work-N   begin the exercise of step N, from 3 to 9, in work/"
	@echo "make hint-N   a hint for it; three in all, one at a time"
	@echo "make solve-N  show a solution"
	@echo
	@echo "make sweep    load test your own service: URL=http://127.0.0.1:8080/work"
	@echo "make try-it   twenty requests at once, with curl"
	@echo
	@echo "make test     check every figure in virtual time"
	@echo "make check    vet, format and race detector"
	@echo "make bench    measure the lab beside what you would pick instead: three minutes"
	@echo "make docs     weave outputs and code into the texts again, and draw the figures"
	@echo "make clean    remove out/, with the measured capacity in it"
	@echo
	@echo "steps: $(STEPS)" | fold -s -w 80 | sed 's/ *$$//'

# The steps are built and not run by go run, which would hide their exit status.
build:
	@go build -o out/bin/ ./steps/... ./internal/cmd/lab ./internal/cmd/exercise

# Step N, also written 0N. All but 1, 2, 6, 8 and 12 need the capacity that step 1 measures.
step-%: build
	@n=$*; n=$${n#0}; \
	case $$n in [0-9]) n=0$$n;; esac; \
	for step in $(STEPS); do \
		case $$step in $$n-*) \
			case $$n in 01|02|06|08|12) ;; *) \
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

# ARGS go to every step that has such a flag.
lab: build
	@out/bin/lab $(ARGS)

work-%: build
	@out/bin/exercise work $*

hint-%: build
	@out/bin/exercise hint $*

solve-%: build
	@out/bin/exercise solve $*

report:
	@go build -C report -o ../out/bin/report . && out/bin/report

docs:
	go generate ./...
	cd report && go run . -figures

# A module of its own, whose peers nobody else needs.
bench:
	@go build -C bench -o ../out/bin/bench . && out/bin/bench $(ARGS)

sweep: build
	@[ -n "$(URL)" ] || { echo "usage: make sweep URL=http://127.0.0.1:8080/work" >&2; exit 2; }
	@out/bin/09-sweep -url "$(URL)" $(ARGS)

try-it:
	@bash scripts/try_it.sh

test:
	go test -timeout 120s ./...
	cd report && go test -timeout 120s ./...

check:
	go vet ./...
	cd report && go vet ./...
	@unformatted=$$(gofmt -l bench exercises internal lab report steps); if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted" >&2; exit 1; fi
	go test -race -timeout 300s ./...

clean:
	rm -rf out
