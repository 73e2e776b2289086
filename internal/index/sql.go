package index

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strconv"
	"strings"

	"ragbench/internal/sqlfile"
)

//go:embed *.sql
var files embed.FS

var (
	lexicalSQL = sqlfile.MustLoad(files, "lexical.sql", "chunk_span", "chunk_texts", "find_analysis", "put_analysis",
		"finish_analysis", "put_text", "put_rows", "put_term", "create_content", "create_fts", "set_hash_size", "fill_fts", "reset_hash_size",
		"check_fts", "count_fts",
		"create_vocabulary", "compare_vocabulary", "drop_vocabulary", "put_lexical", "find_lexical", "analyses_of", "drop_fts",
		"drop_content", "drop_analysis", "drop_vectors")
	vectorSQL = sqlfile.MustLoad(files, "vectors.sql", "put_embedder", "find_embedder", "embedder", "missing_texts", "has_vector",
		"last_block", "put_block", "extend_block", "put_slot", "count_vectors", "put_vector_index", "find_vector_index")
	setSQL = sqlfile.MustLoad(files, "set.sql", "lexical", "analysis", "rows", "term", "document_frequencies", "vector", "slots",
		"block")
)

// template fills in a statement of kind script: the analysis id and, where it is named, FTS5's tokenizer, which must be one of
// Tokenizers.
func template(name string, analysisID int64, tokenizer string) string {
	id := strconv.FormatInt(analysisID, 10)
	return strings.NewReplacer("fts_0", "fts_"+id, "analysis_id = 0", "analysis_id = "+id, "'unicode61'", "'"+tokenizer+"'").
		Replace(lexicalSQL.SQL(name))
}

// bulk runs one statement for many rows of a transaction. Its arguments go by position, in the order in which the statement
// first names them: binding by name costs more than the row. Calls do not watch a context, which would cost a goroutine
// each; the loops around them do.
type bulk struct {
	what string
	st   *sql.Stmt
}

func newBulk(ctx context.Context, tx *sql.Tx, what, text string) (*bulk, error) {
	st, err := tx.PrepareContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("prepare to store %s: %w", what, err)
	}
	return &bulk{what, st}, nil
}

func (b *bulk) put(args ...any) error {
	if _, err := b.st.ExecContext(context.Background(), args...); err != nil {
		return fmt.Errorf("store %s: %w", b.what, err)
	}
	return nil
}

func (b *bulk) close() { b.st.Close() }
