# ragbench: every target works from a fresh clone on a machine with Go and a C compiler.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# SQLite's build options. go.mod cannot carry tags, so they are exported here, once; internal/guard makes
# any go command without them stop with a line that says what to type.
export GOFLAGS := -tags=sqlite_fts5,sqlite_math_functions -buildvcs=false
export CGO_ENABLED := 1

# sqlite-vec includes <sqlite3.h>. The header it gets is the one of the SQLite that is linked (mattn's), under that
# name, in a folder whose path does not depend on the checkout: a changed CGO_CFLAGS would recompile SQLite.
INCLUDE := $(shell go env GOCACHE)/ragbench-include
MATTN := $(shell go list -m -f '{{.Dir}}' github.com/mattn/go-sqlite3 2>/dev/null || (go mod download github.com/mattn/go-sqlite3 && go list -m -f '{{.Dir}}' github.com/mattn/go-sqlite3))
$(shell mkdir -p $(INCLUDE) && cmp -s internal/cinc/sqlite3.h $(INCLUDE)/sqlite3.h || cp internal/cinc/sqlite3.h $(INCLUDE)/sqlite3.h)
export CGO_CFLAGS := -O2 -g -I$(INCLUDE) -I$(MATTN)

.PHONY: help
help: ## Show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: env
env: ## Print the exports for typing go commands by hand: eval "$(make -s env)"
	@printf 'export GOFLAGS="%s" CGO_ENABLED=1 CGO_CFLAGS="%s"\n' "$$GOFLAGS" "$$CGO_CFLAGS"

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
BIN := bin/ragbench

.PHONY: build
build: ## Build bin/ragbench
	go build -ldflags "-X ragbench/internal/cli.Version=$(VERSION)" -o $(BIN) ./cmd/ragbench

.PHONY: demo
demo: build ## Compare five systems on the bundled demo, without a key, and write its report
	@rm -f demo.db
	$(BIN) demo demo
	$(BIN) run -c configs/demo.yaml --mock --db demo.db
	$(BIN) report --db demo.db --output demo-report.html
	@printf '\nNext:\n  open demo-report.html\n  $(BIN) sql hit_overlap --db demo.db       which system finds what the others miss\n  $(BIN) doc hybrid                         what a system does\n  sqlite3 demo.db "SELECT * FROM leaderboard"\n  $(BIN) run -c configs/demo.yaml --dataset YOUR_FOLDER --db yours.db\n'

.PHONY: test
test: ## Run every test
	go test ./...

.PHONY: race
race: ## Run every test with the race detector (compiles SQLite once more)
	go test -race ./...

.PHONY: fuzz
fuzz: ## Fuzz each target for ten seconds
	@set -e; for p in $$(go list ./...); do for f in $$(go test -list '^Fuzz' $$p | grep ^Fuzz || true); do go test -run '^$$' -fuzz "^$$f$$" -fuzztime 10s $$p; done; done

.PHONY: bench
bench: ## Measure search and ingestion against FTS5, vec0 and plain Go, as ratios in one run
	go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./internal/index ./internal/vec ./internal/score ./internal/chunk

.PHONY: smoke
smoke: build ## Run configs/smoke.yaml: its scores must come out to the last digit
	@d=$$(mktemp -d) && trap 'rm -rf "$$d"' EXIT && $(BIN) demo "$$d/demo" && $(BIN) run -c configs/smoke.yaml --dataset "$$d/demo" --mock --db "$$d/smoke.db"

.PHONY: docs
docs: build ## Write the generated pages of docs/
	@mkdir -p docs && $(BIN) docs docs

.PHONY: chunk-eval
chunk-eval: build ## Measure every chunker on the shared passages, for docs/chunkers.md
	@d=$$(mktemp -d) && trap 'rm -rf "$$d"' EXIT && $(BIN) run -c configs/chunking.yaml --mock --db "$$d/c.db" && $(BIN) sql chunkers --db "$$d/c.db" --format csv > "$$d/t.csv" && mv "$$d/t.csv" internal/cli/chunkeval.csv

RESULTS := scifact cranfield hotpotqa-500

.PHONY: results
results: build ## Run configs/results.yaml on the public sets beside the repository and write docs/results.md
	@d=$$(mktemp -d) && trap 'rm -rf "$$d"' EXIT && { \
	printf '# Results\n\nWritten by `make results`: every system of `configs/results.yaml`, mock models, whole sets. Vectors are feature-hashed (384 buckets), so rows\nwith vectors say how the systems combine evidence, not what a real embedding gives. Times are of this machine, with four questions at a time;\nthe size is that of postings and vectors.\n'; \
	for s in $(RESULTS); do $(BIN) run -c configs/results.yaml --dataset ../shared/data/$$s --db $$d/$$s.db >/dev/null 2>$$d/$$s.log || { cat $$d/$$s.log >&2; exit 1; }; \
	printf '\n## %s\n\n' $$s; $(BIN) sql results --format md --db $$d/$$s.db; done; } > $$d/results.md && cp $$d/results.md docs/results.md

.PHONY: check
check: ## All that must hold before a commit lands
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "gofmt: these files are not formatted:"; echo "$$out"; exit 1; fi
	go vet ./...
	go tool staticcheck ./...
	go test ./...
	$(MAKE) --no-print-directory smoke
	$(MAKE) --no-print-directory docs
	@if [ -n "$$(git status --porcelain docs)" ]; then echo "docs/ differs from what make docs writes:"; git status --short docs; git --no-pager diff docs | head -40; exit 1; fi
	@echo "check: all good"

.PHONY: clean
clean: ## Remove what the targets made
	rm -rf bin demo demo.db demo-report.html
