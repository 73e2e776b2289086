package sqlext_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"ragbench/internal/sqlext"
)

// stub returns prepared lists at once, so that a benchmark measures the way through SQLite.
type stub struct{ text, vector []sqlext.Hit }

func (s stub) SearchText(_ int64, _ string, k int) ([]sqlext.Hit, error) {
	return s.text[:min(k, len(s.text))], nil
}

func (s stub) SearchVector(_ int64, _ []byte, k int) ([]sqlext.Hit, error) {
	return s.vector[:min(k, len(s.vector))], nil
}

// rrf fuses two lists by weighted reciprocal rank (Cormack, Clarke and Büttcher 2009, constant 60) and keeps ten.
const rrf = `
	WITH
	  lexical AS MATERIALIZED (SELECT chunk_id, rank FROM bm25_search(:index, :question, :k)),
	  dense AS MATERIALIZED (SELECT chunk_id, rank FROM vector_search(:index, :query_vector, :k)),
	  votes AS (
	    SELECT chunk_id, 0.5 / (60 + rank) AS vote FROM lexical
	    UNION ALL
	    SELECT chunk_id, 0.5 / (60 + rank) FROM dense)
	SELECT chunk_id, sum(vote) AS score
	FROM votes
	GROUP BY chunk_id
	ORDER BY score DESC, chunk_id
	LIMIT 10`

func BenchmarkSQL(b *testing.B) {
	path := b.TempDir() + "/corpus.db"
	defer sqlext.Attach(path, stub{list(1, 1000, 1), list(1, 1000, 2)})()
	db := openFile(b, path, "?_journal_mode=WAL&_synchronous=NORMAL")
	exec(b, db, "CREATE TABLE one(id INTEGER PRIMARY KEY, x REAL); INSERT INTO one VALUES (1, 1)")
	args := func(k int) []any {
		return []any{sql.Named("index", 1), sql.Named("question", "what is a searcher"), sql.Named("k", k)}
	}
	queryVector := sql.Named("query_vector", make([]byte, 4*384))
	run := func(name, query string, want int, args ...any) {
		b.Run(name, func(b *testing.B) {
			stmt, err := db.Prepare(query)
			if err != nil {
				b.Fatal(err)
			}
			defer stmt.Close()
			for b.Loop() {
				if n := drain(b, stmt, args); n != want {
					b.Fatalf("got %d rows, want %d", n, want)
				}
			}
		})
	}
	run("select 1", "SELECT 1, 1.0", 1)
	run("read one row", "SELECT id, x FROM one WHERE id = 1", 1) // the floor of what opens a read transaction
	for _, k := range []int{20, 100} {
		run(fmt.Sprintf("fused k=%d", k), rrf, 10, append(args(k), queryVector)...)
		run(fmt.Sprintf("one list summed k=%d", k), "SELECT 1, sum(score) FROM bm25_search(:index, :question, :k)", 1, args(k)...)
		run(fmt.Sprintf("one list to Go k=%d", k), "SELECT chunk_id, score FROM bm25_search(:index, :question, :k)", k, args(k)...)
	}
}

func drain(b *testing.B, stmt *sql.Stmt, args []any) int {
	r, err := stmt.Query(args...)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	n := 0
	for r.Next() {
		var id int64
		var score float64
		if err := r.Scan(&id, &score); err != nil {
			b.Fatal(err)
		}
		n++
	}
	if err := r.Err(); err != nil {
		b.Fatal(err)
	}
	return n
}

func BenchmarkTokenizer(b *testing.B) {
	text := strings.Repeat("The quick brown foxes were jumping over lazy dogs, während Größe naïve zählt. ", 8)
	for _, spec := range []string{"unicode61", "porter unicode61", "ascii", "trigram"} {
		tokenizer, err := sqlext.NewTokenizer(spec)
		if err != nil {
			b.Fatal(err)
		}
		defer tokenizer.Close()
		b.Run("each "+spec, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if err := tokenizer.Each(text, func(term []byte, _, _ int) { n += len(term) }); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("tokens "+spec, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tokenizer.Tokens(text, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
