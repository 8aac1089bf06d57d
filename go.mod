module example.com/sheddinglab

go 1.26.0

require (
	github.com/rakyll/hey v0.1.5
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
	golang.org/x/net v0.62.0
	golang.org/x/term v0.48.0
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

tool github.com/rakyll/hey

// What readers make: exercises under way, and the output of runs.
ignore (
	./out
	./work
)
