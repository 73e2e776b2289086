package index

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/sqlext"
	"ragbench/internal/store"
	"ragbench/internal/vec"
)

// openStore opens a new file that lasts as long as the test.
func openStore(tb testing.TB) *store.DB {
	tb.Helper()
	db, err := store.Open(context.Background(), filepath.Join(tb.TempDir(), "test file #1.db"), store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return db
}

// openSet opens the searcher of a store. It is closed before the store.
func openSet(tb testing.TB, db *store.DB) *Set {
	tb.Helper()
	s, err := Open(db)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

func write(tb testing.TB, db *store.DB, f func(ctx context.Context, tx *sql.Tx) error) {
	tb.Helper()
	ctx := context.Background()
	if err := db.Write(ctx, func(tx *sql.Tx) error { return f(ctx, tx) }); err != nil {
		tb.Fatal(err)
	}
}

// addIndex makes an index of texts; a text that is empty is a chunk whose indexed text is a full stop, without words.
func addIndex(tb testing.TB, db *store.DB, texts []string) (indexID int64) {
	tb.Helper()
	write(tb, db, func(ctx context.Context, tx *sql.Tx) (err error) {
		indexID, err = insertIndex(ctx, tx, texts)
		return err
	})
	return indexID
}

func insertIndex(ctx context.Context, tx *sql.Tx, texts []string) (int64, error) {
	var n int64
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM indexes`).Scan(&n); err != nil {
		return 0, err
	}
	made, err := tx.ExecContext(ctx, `INSERT INTO indexes (key, corpus_sha256, recipe, tokenizer, num_chunks, build_ms, created_at)
		VALUES (?1, ?1, '{}', 'none', ?2, 0, '2026-01-01T00:00:00Z')`, fmt.Sprintf("%064d", n), len(texts))
	if err != nil {
		return 0, err
	}
	id, err := made.LastInsertId()
	if err != nil {
		return 0, err
	}
	put, err := tx.PrepareContext(ctx, `INSERT INTO chunks (index_id, key, kind, position, text, search_text, text_sha256, token_count)
		VALUES (?, ?, 'chunk', ?, ?, ?, ?, 0)`)
	if err != nil {
		return 0, err
	}
	defer put.Close()
	for i, text := range texts {
		shown, indexed := text, any(nil)
		if text == "" {
			shown, indexed = "what the generator reads", "."
			text = "."
		}
		sum := sha256.Sum256([]byte(text))
		if _, err := put.ExecContext(context.Background(), id, fmt.Sprintf("chunk%d", i), i, shown, indexed, sum[:]); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// buildLexical makes the analysis and the three formulas with their customary parameters, by name.
func buildLexical(tb testing.TB, db *store.DB, indexID int64, a Analysis) (analysisID int64, lexical map[string]int64) {
	tb.Helper()
	lexical = map[string]int64{}
	write(tb, db, func(ctx context.Context, tx *sql.Tx) (err error) {
		if analysisID, err = BuildLexical(ctx, tx, indexID, a); err != nil {
			return err
		}
		for _, f := range Formulas {
			if lexical[f.Name], err = Lexical(ctx, tx, analysisID, f.Name, f.New.K1, f.New.B); err != nil {
				return err
			}
		}
		return nil
	})
	return analysisID, lexical
}

// ftsSearch is brute force: every row that FTS5 finds, by its bm25().
func ftsSearch(tb testing.TB, db *store.DB, analysisID int64, match string) (hits []sqlext.Hit) {
	tb.Helper()
	if match == "" {
		return nil
	}
	return queryHits(tb, db, fmt.Sprintf(`SELECT rowid, -bm25(fts_%d) FROM fts_%[1]d WHERE fts_%[1]d MATCH ?1 ORDER BY bm25(fts_%[1]d), rowid`, analysisID), match)
}

func queryHits(tb testing.TB, db *store.DB, query string, args ...any) (hits []sqlext.Hit) {
	tb.Helper()
	rows, err := db.Reader().Query(query, args...)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var h sqlext.Hit
		if err := rows.Scan(&h.ChunkID, &h.Score); err != nil {
			tb.Fatal(err)
		}
		hits = append(hits, h)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return hits
}

// sameHits wants equal ids, order and score bits.
func sameHits(tb testing.TB, what string, got, want []sqlext.Hit) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Errorf("%s: got %d hits, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			tb.Errorf("%s: hit %d: got %+v, want %+v", what, i+1, got[i], want[i])
			return
		}
	}
}

const hashDims = 384

// hashVector is a hashing embedder: each word adds +1 or -1 to one of 384 buckets; the sum is scaled to length 1.
func hashVector(text string) []float32 {
	v := make([]float32, hashDims)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		word = strings.Trim(word, ".,;:!?()[]'\"")
		if word == "" {
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(word))
		sum := h.Sum64()
		v[sum%hashDims] += float32(int64(sum>>63)*2 - 1)
	}
	vec.Normalise(v)
	return v
}

// shared returns the lines of a file of the real data, or skips the test.
func shared[T any](tb testing.TB, name string) (records []T) {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", name))
	if err != nil {
		tb.Skipf("the shared data is not here: %v", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r T
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		records = append(records, r)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return records
}

// record is a line of corpus.jsonl or queries.jsonl.
type record struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// sharedSet returns the documents and questions of a set.
func sharedSet(tb testing.TB, name string) (documents, questions []string) {
	tb.Helper()
	for _, r := range shared[record](tb, name+"/corpus.jsonl") {
		documents = append(documents, strings.TrimSpace(r.Title+"\n\n"+r.Text))
	}
	for _, r := range shared[record](tb, name+"/queries.jsonl") {
		questions = append(questions, r.Text)
	}
	return documents, questions
}
