package texts_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each kind of name, wrong, in the text of step 3.
func testNamesWrong(t *testing.T, r *repository) {
	for _, tt := range []struct{ text, want string }{
		{"`make stpe-3`", "there is no target stpe-3 in the Makefile"},
		{"`make step-99`", "there is no step-99: nothing matches steps/99-*"},
		{"`make lab ARG=-h`", "the Makefile does not use ARG"},
		{"`make test ARGS=-h`", "there is no step that takes ARGS=-h"},
		{"`make lab ARGS=-multipel`", "there is no flag -multipel in steps/01-calibrate,"},
		{"`make hint-1`", "there is no hint-1: nothing matches exercises/01-*"},
		{"`make solve-3 ARGS=-h`", "there is no step that takes ARGS=-h"},
		{"`make step-3 ARGS=\"-multipel 3\"`", "flag provided but not defined: -multipel"},
		{"`make step-3 ARGS=\"-multiple much\"`", `invalid value "much"`},
		{"`make step-3 ARGS=-multiple`", `invalid value "-h"`},
		{"`make sweep URL=x ARGS=-hodl`", "there is no flag -hodl in steps/09-sweep"},
		{"`go run ./steps/03-colapse`", "there is no ./steps/03-colapse"},
		{"`go run ./steps`", "there is no program steps"},
		{"`go run ./steps/03-collapse -h 3 -multiple`", ""},
		{"`go run ./steps/03-collapse -hold 3s`", "flag provided but not defined: -hold"},
		{"`go run ./steps/06-http serve -budget 3s`", "flag provided but not defined: -budget"},
		{"`go run ./steps/06-http server`", `unexpected argument "server"`},
		{"`go run -race\n./steps/06-http serve -budget 3s`", "flag provided but not defined: -budget"},
		{"`go run ./internal/cmd/readme -lits`", "flag provided but not defined: -lits"},
		{"`go run github.com/a/b`", "want a package of this repository"},
		{"`go run -x`", "want a package of this repository"},
		{"`go tset ./lab`", "unknown go command tset"},
		{"`go test ./labs/...`", "there is no ./labs"},
		{"`go mod edit -require example.com/shedinglab@v0.0.0`", "this module is example.com/sheddinglab"},
		{"`go test ./work/03-colapse`", "there is no ./work/03-colapse"},
		{"`bash script/try_it.sh`", "there is no script/try_it.sh"},
		{"`diff lab/doc.go lab/docs.go`", "there is no lab/docs.go"},
		{"`cd lab && go test ./lab`", "there is no ./lab"},
		{"`curl http://127.0.0.1:8080/wrok &`", "the service has no /wrok"},
		{"`out/bin/03-colapse -h`", "there is no program steps/03-colapse"},
		{"`-multipel`", "no flag -multipel in steps/03-collapse"},
		{"`-hold`", "no flag -hold"},
		{"`-multiple 2 -hodl=3s`", "no flag -hodl"},
		{"`lab/controler.go`", "there is no lab/controler.go"},
		{"`main.og/`", "there is no main.og/"},
		{"`mian.go`", "there is no mian.go"},
		{"`out/capcity.json`", "there is no out/capcity.json"},
		{"`work/03-colapse`", "there is no work/03-colapse"},
		{"`testing/syntcest`", "there is no testing/syntcest"},
		{"`/helth`", "the service has no /helth"},
		{"`lab.Contoller`", "there is no lab.Contoller"},
		{"`*lab.Overload`", "there is no lab.Overload"},
		{"`lab.Controller.Acquires`", "there is no lab.Controller.Acquires"},
		{"`labtest.Runs(t, new)`", "there is no labtest.Runs"},
		{"`broken.Leakey`", "there is no broken.Leakey"},
		{"two\n`broken.\nLeaky` and `lab.Contoller`", "there is no lab.Contoller"},
		{"```go\nc := lab.NewControler()\n```", "there is no lab.NewControler"},
		{"```sh\nmake\n\nmak step-3    # with `this`\n```", "unknown command mak"},
		{"```sh\nmake step-3 &&\nmake nothing\n```", "no target nothing"},
		{"```sh\nA=b make \\\n    nothing\n```", "no target nothing"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			faults := r.faults("steps/03-collapse/README.md", "Text.\n\n"+tt.text+"\n")
			if tt.want == "" {
				assert.Empty(t, faults)
				return
			}
			require.Len(t, faults, 1)
			assert.Contains(t, faults[0], tt.want)
		})
	}
}

// What the texts may name, in the text of step 9.
func testNamesRight(t *testing.T, r *repository) {
	for _, text := range []string{
		"`make`", "`make step-9`", "`make step-09`", "`make step-N`", "`make lab ARGS=\"-multiple 3\"`", "`make hint-3`", "`make work-N`", "`go test -v ./work/03-collapse`", "`work/03-collapse/`", "`make step-3 lab`", "`make clean`",
		"`make step-9 ARGS=\"-hold 60s\"`", "`make sweep URL=http://127.0.0.1:8080/work ARGS='-rates 5'`",
		"`go run ./steps/09-sweep -url http://127.0.0.1:8080/work -h`",
		"`go run ./steps/09-sweep -from a.csv`", "`go run ./steps/09-sweep serve -max-waiting none`",
		"`go run ./internal/cmd/readme -list`",
		"`go test -race ./steps/... ./lab`", "`go mod tidy`", "`GOOS=windows go vet ./...`",
		"`bash scripts/try_it.sh`", "`diff lab/doc.go README.md`", "`cd lab && go test ./labtest`",
		"`curl -i http://127.0.0.1:8080/work &`", "`out/bin/03-collapse`", "`out/`", "`out/capacity.json`",
		"`-hold 24s`", "`-far`", "`-i-own-this-host`", "`-serial -json`", "`-max-waiting`", "`-`", "`- 1`",
		"`main.go`", "`lab/broken/`", "`../../lab/doc.go`", "`testing/synctest`", "`golang.org/x/net/netutil`",
		"`application/json`", "`steps/*/main.go`", "`/stats`", "`http://127.0.0.1:8080/health`",
		"`lab.Controller`", "`lab.Controller.Acquire`", "`lab.Limits.Slots`", "`lab.Admitter.Do`",
		"`*lab.Overloaded`", "`lab.Protect(c, handler)`", "`labtest.Run`", "`broken.Leaky`", "`lab.NoLimit`",
		"`b.N`", "`http.RoundTripper`", "`x / y`", "`line_full`",
		"```text\nmake nothing, lab.Nothing\n```", "```sh\n# make nothing\nmake step-9    # make nothing\n```",
		"```go\nc := lab.NewController(lab.Limits{})\n```", "<!-- `make nothing` -->",
	} {
		assert.Empty(t, r.faults("steps/09-sweep/README.md", "Text.\n\n"+text+"\n"), text)
	}
}
