package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ragbench/internal/rag"
)

// BuildLexical makes the lexical index of the chunks of an index under an analysis, inside the caller's transaction: the
// postings and, of the same terms, the FTS5 table fts_N with N = analysisID. An analysis that exists is left as it is; its
// id is returned. An unknown index is rag.ErrNotFound.
//
// The chunks are read in one pass. Memory holds the vocabulary and its postings, about half the size of the texts.
func BuildLexical(ctx context.Context, tx *sql.Tx, indexID int64, a Analysis) (analysisID int64, err error) {
	a, tokenizer, _, err := a.resolve()
	if err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, lexicalSQL.SQL("find_analysis"), sql.Named("index_id", indexID),
		sql.Named("tokenizer", tokenizer), sql.Named("stop_words", a.StopWords)).Scan(&analysisID)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return analysisID, err
	}
	begin := time.Now()
	w := &lexicalWriter{ctx: ctx, tx: tx, index: indexID, tokenizer: tokenizer, terms: map[string]uint32{}}
	if w.analyzer, err = NewAnalyzer(a); err != nil {
		return 0, err
	}
	defer w.analyzer.Close()
	for _, step := range []func() error{w.readSpan, func() error { return w.start(a.StopWords) }, w.readChunks, w.writeTerms, w.makeFTS, w.verify} {
		if err := step(); err != nil {
			return 0, fmt.Errorf("build lexical index of index %d: %w", indexID, err)
		}
	}
	_, err = tx.ExecContext(ctx, lexicalSQL.SQL("finish_analysis"), sql.Named("bigrams", w.bigrams),
		sql.Named("num_rows", w.rows), sql.Named("num_tokens", w.tokens), sql.Named("num_terms", len(w.lists)),
		sql.Named("build_ms", float64(time.Since(begin).Microseconds())/1000), sql.Named("analysis_id", w.id))
	if err != nil {
		return 0, fmt.Errorf("build lexical index of index %d: %w", indexID, err)
	}
	return w.id, nil
}

// Lexical returns the id under which bm25_search scores an analysis by a formula, one of Formulas, with its parameters; it
// makes the row when there is none. k1 is 0 or more, b within 0 and 1.
func Lexical(ctx context.Context, tx *sql.Tx, analysisID int64, formula string, k1, b float64) (lexicalID int64, err error) {
	if _, err := Formulas.Find("formula", formula); err != nil {
		return 0, err
	}
	if !(k1 >= 0 && k1 <= maxK1) {
		return 0, fmt.Errorf("k1 is %v, want 0 to %v", k1, float64(maxK1))
	}
	if !(b >= 0 && b <= 1) {
		return 0, fmt.Errorf("b is %v, want 0 to 1", b)
	}
	args := []any{sql.Named("analysis_id", analysisID), sql.Named("formula", formula), sql.Named("k1", k1), sql.Named("b", b)}
	if _, err := tx.ExecContext(ctx, lexicalSQL.SQL("put_lexical"), args...); err != nil {
		return 0, fmt.Errorf("name lexical index of analysis %d: %w", analysisID, err)
	}
	if err := tx.QueryRowContext(ctx, lexicalSQL.SQL("find_lexical"), args...).Scan(&lexicalID); err != nil {
		return 0, fmt.Errorf("name lexical index of analysis %d: %w", analysisID, err)
	}
	return lexicalID, nil
}

// Drop removes the lexical and vector indexes of an index, FTS5 tables included, which no foreign key reaches. Vectors stay:
// they belong to texts. Call it before deleting the index; a Set that has searched it must then Forget.
func Drop(ctx context.Context, tx *sql.Tx, indexID int64) error {
	ids, err := analysesOf(ctx, tx, indexID)
	if err != nil {
		return fmt.Errorf("drop indexes of index %d: %w", indexID, err)
	}
	for _, id := range ids {
		for _, text := range []string{template("drop_fts", id, ""), template("drop_content", id, "")} {
			if _, err := tx.ExecContext(ctx, text); err != nil {
				return fmt.Errorf("drop analysis %d: %w", id, err)
			}
		}
		if _, err := tx.ExecContext(ctx, lexicalSQL.SQL("drop_analysis"), sql.Named("analysis_id", id)); err != nil {
			return fmt.Errorf("drop analysis %d: %w", id, err)
		}
	}
	if _, err := tx.ExecContext(ctx, lexicalSQL.SQL("drop_vectors"), sql.Named("index_id", indexID)); err != nil {
		return fmt.Errorf("drop vector indexes of index %d: %w", indexID, err)
	}
	return nil
}

func analysesOf(ctx context.Context, tx *sql.Tx, indexID int64) (ids []int64, err error) {
	rows, err := tx.QueryContext(ctx, lexicalSQL.SQL("analyses_of"), sql.Named("index_id", indexID))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// chunkSpan returns the range of chunk ids of an index; rag.ErrNotFound when there is no such index, an error when it is not
// complete.
func chunkSpan(ctx context.Context, tx *sql.Tx, indexID int64) (first, last int64, err error) {
	var want, have int64
	err = tx.QueryRowContext(ctx, lexicalSQL.SQL("chunk_span"), sql.Named("index_id", indexID)).Scan(&want, &have, &first, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, fmt.Errorf("index %d: %w", indexID, rag.ErrNotFound)
	}
	if err == nil && want != have {
		err = fmt.Errorf("index %d has %d of its %d chunks", indexID, have, want)
	}
	return first, last, err
}
