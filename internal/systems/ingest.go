package systems

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ragbench/internal/chunk"
	"ragbench/internal/config"
	"ragbench/internal/index"
	"ragbench/internal/rag"
	"ragbench/internal/store"
	"ragbench/internal/text/tokens"
)

// buildChunks returns the index of a recipe over a corpus, making it when the file lacks it. What cutting spends is
// charged either way.
func (e *Env) buildChunks(ctx context.Context, c rag.Corpus, o config.ChunkerOptions, rep *rag.IngestReport) (int64, error) {
	cutter, err := e.newCutter(o)
	if err != nil {
		return 0, err
	}
	b, err := json.Marshal(cutter.Recipe())
	if err != nil {
		return 0, err
	}
	recipe := string(b)
	key := store.IndexKey(c.SHA256, recipe)
	var id int64
	var n, spent int
	err = e.DB.Read(ctx, func(tx *sql.Tx) error {
		if id, n, err = store.FindIndex(ctx, tx, key); err != nil {
			return err
		}
		spent, err = store.CutTokens(ctx, tx, id)
		return err
	})
	switch {
	case err == nil:
		rep.Reused = append(rep.Reused, "chunks "+key)
	case errors.Is(err, rag.ErrNotFound):
		if id, n, spent, err = e.cutAll(ctx, c, cutter, key, recipe); err != nil {
			return 0, fmt.Errorf("build the chunks of %s: %w", o.Type, err)
		}
		rep.Built = append(rep.Built, "chunks "+key)
	default:
		return 0, fmt.Errorf("find the index: %w", err)
	}
	rep.Chunks = n
	if cutter.Embeds() {
		rep.Usage.EmbeddingTokens += spent
		rep.Usage.Embedding = rep.Usage.Embedding.Plus(e.EmbeddingCost(spent))
	}
	return id, nil
}

// cutAll cuts every document and stores the chunks, and the calls that cutting took, in one transaction. Documents are cut
// several at a time and written in their order, so that ids do not depend on the number of workers. spent is the tokens
// embedded.
func (e *Env) cutAll(ctx context.Context, c rag.Corpus, cutter *chunk.Cutter, key, recipe string) (id int64, n, spent int, err error) {
	start := e.Now()
	err = e.DB.Write(ctx, func(tx *sql.Tx) error {
		w, err := store.NewIndex(ctx, tx, key, c.SHA256, recipe, cutter.Recipe().Tokenizer, e.Now().UTC().Format(time.RFC3339))
		if err != nil {
			return err
		}
		err = e.cutDocuments(ctx, c.DatasetID, cutter, func(done cut) error {
			for i := range done.chunks {
				if _, err := w.Add(&done.chunks[i], 0); err != nil {
					return err
				}
			}
			spent += done.tokens
			_, err := e.SaveCalls(ctx, tx, done.calls)
			return err
		})
		if err != nil {
			return err
		}
		id, n = w.IndexID, w.Count
		if err := store.SetCutTokens(ctx, tx, id, spent); err != nil {
			return err
		}
		return w.Finish(ms(e.Now().Sub(start)))
	})
	return id, n, spent, err
}

// buildLexical returns the lexical index of a chunk index as the configuration scores it.
func (e *Env) buildLexical(ctx context.Context, indexID int64, rep *rag.IngestReport) (id int64, err error) {
	o := e.Config.Retrieval
	err = e.DB.Write(ctx, func(tx *sql.Tx) error {
		before, _, err := store.Built(ctx, tx, indexID, 0)
		if err != nil {
			return err
		}
		analysis, err := index.BuildLexical(ctx, tx, indexID, index.Analysis{Tokenizer: o.Tokenizer, StopWords: o.StopWords})
		if err != nil {
			return err
		}
		after, _, err := store.Built(ctx, tx, indexID, 0)
		if err != nil {
			return err
		}
		record(rep, after > before, fmt.Sprintf("lexical %d", analysis))
		id, err = index.Lexical(ctx, tx, analysis, o.Formula, o.K1, o.B)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("build the lexical index: %w", err)
	}
	return id, nil
}

// record books a part of ingestion as built or as reused.
func record(rep *rag.IngestReport, built bool, part string) {
	if built {
		rep.Built = append(rep.Built, part)
	} else {
		rep.Reused = append(rep.Reused, part)
	}
}

// cutTokens returns the first n tokens of a text, as the tokenizer of full_context counts them.
func cutTokens(text string, n int) (string, error) {
	t, err := tokens.New(tokens.Default)
	if err != nil {
		return "", err
	}
	return text[:tokens.Cut(t, text, n)], nil
}

// ms is a duration in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
