package cli

import (
	"database/sql"
	"embed"

	"ragbench/internal/sqlfile"
)

//go:embed cli.sql money.sql pack.sql
var files embed.FS

var cliSQL = sqlfile.MustLoad(files, "cli.sql", "newest_run", "find_run", "means", "drop_run", "run_systems", "runs", "trust")

var moneySQL = sqlfile.MustLoad(files, "money.sql", "base_urls", "spend", "unpriced", "newest_original", "run_of_config", "missing_calls",
	"recorded_answers", "recorded_steps", "recorded_calls", "recorded_ingestions", "recorded_probes", "differing_answers", "estimate",
	"cache_stats", "clear_calls", "clear_prompts", "mean_costs", "price_rows", "priced_steps", "priced_calls", "priced_ingestions",
	"put_step_cost", "put_costs", "put_ingestion_cost", "note_repriced")

var packSQL = sqlfile.MustLoad(files, "pack.sql", "drop_messages", "drop_unused_prompts", "drop_vector_slots", "drop_vector_blocks",
	"drop_call_vectors", "hide_chunks", "hide_documents", "hide_evidence", "hide_replies", "hide_steps", "indexes")

// named shortens sql.Named.
func named(name string, value any) sql.NamedArg { return sql.Named(name, value) }
