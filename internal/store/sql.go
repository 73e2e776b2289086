package store

import (
	"embed"

	"ragbench/internal/sqlfile"
)

//go:embed *.sql
var files embed.FS

var (
	fileSQL   = sqlfile.MustLoad(files, "file.sql", "get_info", "put_info", "count_objects")
	corpusSQL = sqlfile.MustLoad(files, "corpus.sql", "put_document", "find_document", "find_dataset", "put_dataset",
		"put_dataset_document", "put_question", "put_qrel", "put_evidence", "put_warning", "previous_documents", "get_dataset",
		"newest_dataset", "documents", "evidence_text", "questions", "warnings", "stale_datasets", "stale_indexes", "drop_index",
		"drop_stale_documents")
	indexSQL = sqlfile.MustLoad(files, "indexes.sql", "find_index", "put_index", "finish_index", "set_cut_tokens", "cut_tokens", "put_chunk", "get_chunks", "vector_usage", "count_built")
	runSQL   = sqlfile.MustLoad(files, "runs.sql", "put_run", "label_taken", "unfinished_run", "set_status", "put_system", "systems",
		"put_ingestion", "next_answer", "reserve_answers", "first_answer", "good_cells", "drop_answer", "put_answer", "put_hit",
		"put_step", "put_step_call", "note", "run_config", "put_probe")
	packSQL = sqlfile.MustLoad(files, "pack.sql", "vacuum_into", "vacuum", "integrity", "broken_keys", "text_columns", "texts")
)
