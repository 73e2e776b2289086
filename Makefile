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
