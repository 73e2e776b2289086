package cli

import (
	"database/sql"
	"embed"

	"ragbench/internal/sqlfile"
)

//go:embed cli.sql
var files embed.FS

var cliSQL = sqlfile.MustLoad(files, "cli.sql", "newest_run", "find_run", "means", "drop_run", "run_systems", "runs", "trust")

// named shortens sql.Named.
func named(name string, value any) sql.NamedArg { return sql.Named(name, value) }
