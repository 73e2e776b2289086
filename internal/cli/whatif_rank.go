package cli

import (
	"context"
	"database/sql"
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/rerank"
	"ragbench/internal/score"
	"ragbench/internal/systems"
)

// whatIf is one system of a run under other settings.
type whatIf struct {
	f        *file
	runID    int64
	systemID int64
	name     string
	typ      string
	depth    int
	vectors  int64 // the vector index of the run
	stored   whatIfOptions
	options  whatIfOptions
}

// ranked is the ranking of one answer.
type ranked struct {
	answerID int64
	hits     []rag.Hit
}

// findWhatIf reads the system and its settings and checks that what they need is stored.
func findWhatIf(ctx context.Context, f *file, runID int64, system string, sets []string) (*whatIf, error) {
	w := &whatIf{f: f, runID: runID}
	rows, err := f.Reader().QueryContext(ctx, whatIfSQL.SQL("find_system"), named("run_id", runID), named("system", system))
	if err != nil {
		return nil, fmt.Errorf("read the systems of run %d: %w", runID, err)
	}
	defer rows.Close()
	var config string
	var names []string
	for rows.Next() {
		var one whatIf
		var settings string
		if err := rows.Scan(&one.systemID, &one.name, &one.typ, &settings, &one.depth, &one.vectors); err != nil {
			return nil, fmt.Errorf("read the systems of run %d: %w", runID, err)
		}
		if names = append(names, one.name); one.name == system {
			one.f, one.runID, config = f, runID, settings
			w = &one
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the systems of run %d: %w", runID, err)
	}
	if w.systemID == 0 {
		return nil, unknownSystem(runID, system, names)
	}
	if err := w.stored.apply(w.typ, config, nil); err != nil {
		return nil, err
	}
	if err := w.options.apply(w.typ, config, sets); err != nil {
		return nil, err
	}
	if n := max(w.depth, w.stored.Retrieval.Parents); max(w.options.ContextK, w.options.Retrieval.Parents) > n {
		return nil, fmt.Errorf("the run's rankings are %d deep, so that no answer could have read more than that", n)
	}
	if entry, err := rerank.Find(w.options.Retrieval.Reranker); err == nil && entry.Name == "llm" {
		return nil, fmt.Errorf("what the reranker llm would have chosen is not stored; --set reranker=local_relevance or simple_keyword_overlap can be computed")
	}
	return w, w.options.need(w.typ, w.depth).within(w.stored.need(w.typ, w.depth))
}

// run ranks every answer anew into temporary tables, scores them and has look read the result. The file stays as it is.
func (w *whatIf) run(ctx context.Context, look func(tx *sql.Tx, rankings []ranked) error) (err error) {
	conn, err := w.f.Reader().Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	// The connection is one of a file opened for reading, so that temporary tables are all it can write.
	if _, err := conn.ExecContext(ctx, "PRAGMA query_only = OFF"); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA query_only = ON")
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, whatIfSQL.SQL("shadow"), named("system_id", w.systemID)); err != nil {
		return fmt.Errorf("make temporary tables: %w", err)
	}
	rankings, err := w.candidates(ctx, tx)
	if err != nil {
		return fmt.Errorf("rank anew: %w", err)
	}
	if err := w.reorder(ctx, tx, rankings); err != nil {
		return fmt.Errorf("rank anew: %w", err)
	}
	if err := w.put(ctx, tx, rankings); err != nil {
		return fmt.Errorf("keep the new rankings: %w", err)
	}
	if _, err := score.Run(ctx, tx, w.runID); err != nil {
		return err
	}
	return look(tx, rankings)
}

// candidates runs the statement of the type over all answers.
func (w *whatIf) candidates(ctx context.Context, tx *sql.Tx) (list []ranked, err error) {
	r, need := w.options.Retrieval, w.options.need(w.typ, w.depth)
	args := []any{named("system_id", w.systemID), named("pool", need.pool)}
	statement := "merge"
	switch w.typ {
	case "hybrid", "hybrid_rerank":
		statement = "fuse"
		args = append(args, named("bm25_depth", need.lexical), named("vector_depth", need.dense), named("bm25_weight", r.BM25Weight),
			named("vector_weight", r.VectorWeight), named("rrf_k", r.RRFK))
	case "parent_doc":
		statement = "roll_up"
		args = append(args, named("aggregation", r.Aggregation))
	default:
		args = append(args, named("vector_depth", need.dense))
	}
	rows, err := tx.QueryContext(ctx, whatIfSQL.SQL(statement), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var answer int64
		var h rag.Hit
		if err := rows.Scan(&answer, &h.Rank, &h.Chunk.RowID, &h.Chunk.DocID, &h.Score); err != nil {
			return nil, err
		}
		if len(list) == 0 || list[len(list)-1].answerID != answer {
			list = append(list, ranked{answerID: answer})
		}
		last := &list[len(list)-1]
		last.hits = append(last.hits, h)
	}
	return list, rows.Err()
}

// reorder does what a system does after its statement, and cuts the rankings.
func (w *whatIf) reorder(ctx context.Context, tx *sql.Tx, list []ranked) error {
	switch {
	case w.options.Retrieval.Diversity == "mmr":
		return w.diversify(list)
	case w.typ == "rerank" || w.typ == "hybrid_rerank":
		return w.rerank(ctx, tx, list)
	}
	for i := range list {
		if n := w.options.need(w.typ, w.depth).pool; n < len(list[i].hits) {
			list[i].hits = list[i].hits[:n]
		}
	}
	return nil
}

func (w *whatIf) diversify(list []ranked) error {
	for i := range list {
		vectors, err := w.f.search.Vectors(w.vectors, rowIDs(list[i].hits))
		if err != nil {
			return err
		}
		list[i].hits = systems.Diversify(list[i].hits, vectors, w.options.Retrieval.MMRLambda, w.depth)
	}
	return nil
}

func (w *whatIf) rerank(ctx context.Context, tx *sql.Tx, list []ranked) error {
	entry, err := rerank.Find(w.options.Retrieval.Reranker)
	if err != nil {
		return err
	}
	questions, err := w.questions(ctx, tx)
	if err != nil {
		return err
	}
	r := entry.New(rerank.Env{})
	for i, l := range list {
		chunks, err := w.f.Chunks(ctx, rowIDs(l.hits))
		if err != nil {
			return err
		}
		for j := range l.hits {
			l.hits[j].Chunk = chunks[j]
		}
		if list[i].hits, err = r.Rerank(ctx, questions[l.answerID], l.hits, w.depth, &rag.Step{}); err != nil {
			return err
		}
	}
	return nil
}

// questions reads the text that each answer answers.
func (w *whatIf) questions(ctx context.Context, tx *sql.Tx) (map[int64]string, error) {
	rows, err := tx.QueryContext(ctx, whatIfSQL.SQL("question_texts"), named("system_id", w.systemID))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := map[int64]string{}
	for rows.Next() {
		var answer int64
		var text string
		if err := rows.Scan(&answer, &text); err != nil {
			return nil, err
		}
		texts[answer] = text
	}
	return texts, rows.Err()
}

// put writes the rankings, with the rank of each document at its first place and what the generator would have read.
func (w *whatIf) put(ctx context.Context, tx *sql.Tx, list []ranked) error {
	st, err := tx.PrepareContext(ctx, whatIfSQL.SQL("put_hit"))
	if err != nil {
		return err
	}
	defer st.Close()
	read := w.options.ContextK
	if w.typ == "parent_doc" {
		read = w.options.Retrieval.Parents
	}
	for _, l := range list {
		docs := map[string]bool{}
		for i, h := range l.hits {
			var rank any
			if !docs[h.Chunk.DocID] {
				docs[h.Chunk.DocID] = true
				rank = len(docs)
			}
			if _, err := st.ExecContext(ctx, l.answerID, i+1, h.Chunk.RowID, h.Chunk.DocID, rank, h.Score, i < read); err != nil {
				return err
			}
		}
	}
	return nil
}

func rowIDs(hits []rag.Hit) []int64 {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.Chunk.RowID
	}
	return ids
}
