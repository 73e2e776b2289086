package sqlext_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestShapes runs the forms of SQL in which a search is used, with the number of times each one may search.
func TestShapes(t *testing.T) {
	db, f := open(t, "")
	v := vector(1, 0)
	for _, c := range []struct {
		name, sql string
		args      []any
		want      string // rows, separated by "; "
		calls     int64
	}{
		{"columns", `SELECT chunk_id, score, rank FROM bm25_search(1, 'a', 3)`, nil, "1 1 1; 2 0.5 2; 3 0.3333333333333333 3", 1},
		{"vector columns", `SELECT chunk_id, score, rank FROM vector_search(1, ?, 2)`, []any{v}, "2 1 1; 4 0.5 2", 1},
		{"default k", `SELECT count(*), max(rank) FROM bm25_search(2, 'a')`, nil, "10 10", 1},
		{"hidden columns", `SELECT "index", query, k FROM bm25_search(2, 'a', 1)`, nil, "2 a 1", 1},
		{"hidden default k", `SELECT k FROM bm25_search(1, 'a') LIMIT 1`, nil, "10", 1},
		{"elapsed time", `SELECT count(*) FROM bm25_search(1, 'a', 3) WHERE elapsed_ms > 0 AND elapsed_ms < 60000`, nil, "3", 1},
		{"hidden vector", `SELECT hex(vector) FROM vector_search(1, x'0000803f', 1)`, nil, "0000803F", 1},
		{"arguments in WHERE", `SELECT chunk_id FROM bm25_search WHERE k = 2 AND query = 'a' AND "index" = 2`, nil, "101; 102", 1},
		{"more than there are", `SELECT count(*) FROM bm25_search(1, 'a', 9223372036854775807)`, nil, "60", 1},
		{"empty query", `SELECT count(*) FROM bm25_search(1, '', 3)`, nil, "3", 1},
		{"no hit", `SELECT * FROM bm25_search(1, 'none', 3)`, nil, "", 1},
		{"k 0", `SELECT * FROM bm25_search(1, 'a', 0)`, nil, "", 0},
		{"NULL query", `SELECT * FROM bm25_search(1, NULL, 3)`, nil, "", 0},
		{"NULL vector", `SELECT * FROM vector_search(1, ?, 3)`, []any{[]byte(nil)}, "", 0},

		{"ORDER BY rank", `SELECT rank FROM bm25_search(1, 'a', 3) ORDER BY rank`, nil, "1; 2; 3", 1},
		{"ORDER BY rank DESC", `SELECT rank FROM bm25_search(1, 'a', 3) ORDER BY rank DESC`, nil, "3; 2; 1", 1},
		{"ORDER BY score", `SELECT rank FROM bm25_search(1, 'a', 3) ORDER BY score`, nil, "3; 2; 1", 1},
		{"ORDER BY score DESC", `SELECT rank FROM bm25_search(1, 'a', 3) ORDER BY score DESC, chunk_id`, nil, "1; 2; 3", 1},
		{"ORDER BY chunk_id DESC", `SELECT chunk_id FROM bm25_search(1, 'a', 3) ORDER BY chunk_id DESC`, nil, "3; 2; 1", 1},
		{"LIMIT OFFSET", `SELECT rank FROM bm25_search(1, 'a', 9) ORDER BY rank LIMIT 2 OFFSET 3`, nil, "4; 5", 1},
		{"visible IN", `SELECT chunk_id FROM bm25_search(1, 'a', 9) WHERE chunk_id IN (2, 5, 99)`, nil, "2; 5", 1},
		{"visible OR", `SELECT chunk_id FROM bm25_search(1, 'a', 9) WHERE chunk_id = 8 OR rank = 1`, nil, "1; 8", 1},
		{"query IN", `SELECT query, rank FROM bm25_search WHERE "index" = 1 AND query IN ('a', 'b') AND k = 2 ORDER BY rank, query`, nil,
			"a 1; b 1; a 2; b 2", 2},
		{"query OR", `SELECT query, rank FROM bm25_search WHERE "index" = 1 AND k = 1 AND (query = 'a' OR query = 'b') ORDER BY query`, nil,
			"a 1; b 1", 2},
		{"OR of whole argument lists", `SELECT chunk_id FROM bm25_search
			WHERE "index" = 1 AND query = 'a' AND k = 1 OR "index" = 2 AND query = 'b' AND k = 1 ORDER BY chunk_id`, nil, "1; 101", 2},
		{"OR of overlapping branches", `SELECT chunk_id FROM bm25_search WHERE "index" = 1 AND query = 'a' AND k = 3 AND rank < 3
			OR "index" = 2 AND query = 'a' AND k = 1 OR "index" = 1 AND query = 'a' AND k = 3 AND rank > 1 ORDER BY chunk_id`, nil,
			"1; 2; 3; 101", 3},
		{"second constraint on query", `SELECT v.id, s.rank FROM bm25_search(1, 'b', 1) s JOIN variants v ON v.text = s.query`, nil, "2 1", 1},

		{"correlated", `SELECT v.id, s.rank FROM variants v, bm25_search(1, v.text, 2) s ORDER BY v.id, s.rank`, nil,
			"1 1; 1 2; 2 1; 2 2", 3},
		{"correlated, function first", `SELECT v.id, s.rank FROM bm25_search(1, v.text, 2) s, variants v ORDER BY v.id, s.rank`, nil,
			"1 1; 1 2; 2 1; 2 2", 3},
		{"correlated k", `SELECT v.id, count(*) FROM variants v, bm25_search(1, v.text, v.k) GROUP BY v.id ORDER BY v.id`, nil, "1 2; 2 3", 3},
		{"correlated LEFT JOIN", `SELECT v.id, s.rank FROM variants v LEFT JOIN bm25_search(1, v.text, 1) s ON true ORDER BY v.id`, nil,
			"1 1; 2 1; 3 -", 3},
		{"scalar subquery", `SELECT id, (SELECT max(chunk_id) FROM bm25_search(1, text, 2)) FROM variants ORDER BY id`, nil, "1 2; 2 2; 3 -", 3},
		{"EXISTS", `SELECT id FROM variants WHERE EXISTS (SELECT 1 FROM bm25_search(1, text, 1)) ORDER BY id`, nil, "1; 2", 3},
		{"chained", `SELECT b.chunk_id FROM bm25_search(1, 'a', 2) a, bm25_search(a.chunk_id, 'b', 1) b ORDER BY b.chunk_id`, nil, "1; 101", 3},
		{"recursive", `WITH RECURSIVE walk(i, depth) AS (
			SELECT 1, 0 UNION ALL SELECT s.chunk_id, depth + 1 FROM walk, bm25_search(walk.i, 'a', 1) s WHERE depth < 2)
			SELECT i, depth FROM walk`, nil, "1 0; 1 1; 1 2", 1},
		{"join, function first", `SELECT c.text FROM bm25_search(1, 'a', 2) s JOIN chunks c USING (chunk_id) ORDER BY s.rank`, nil, "text 1; text 2", 1},
		{"join, table first", `SELECT c.text FROM chunks c JOIN bm25_search(1, 'a', 2) s USING (chunk_id) ORDER BY s.rank`, nil, "text 1; text 2", 1},
		{"forced inner loop", `SELECT count(*) FROM chunks c CROSS JOIN bm25_search(1, 'a', 5) s ON s.chunk_id = c.chunk_id`, nil, "5", 1},

		{"UNION ALL fusion", fusion, nil, "2 1.5; 1 1; 4 0.75", 2},
		{"RIGHT JOIN", `SELECT a.chunk_id, b.chunk_id FROM bm25_search(1, 'a', 3) a RIGHT JOIN vector_search(1, x'0000803f', 3) b
			ON a.chunk_id = b.chunk_id ORDER BY b.chunk_id`, nil, "2 2; - 4; - 6", 2},
		{"FULL JOIN", `SELECT a.chunk_id, b.chunk_id FROM bm25_search(1, 'a', 3) a FULL JOIN vector_search(1, x'0000803f', 2) b
			ON a.chunk_id = b.chunk_id ORDER BY coalesce(a.chunk_id, b.chunk_id)`, nil, "1 -; 2 2; 3 -; - 4", 2},
		{"LEFT JOIN of CTEs", `WITH a AS (SELECT * FROM bm25_search(1, 'a', 20)), b AS (SELECT * FROM vector_search(1, x'0000803f', 20))
			SELECT count(*), count(b.chunk_id) FROM a LEFT JOIN b ON a.chunk_id = b.chunk_id`, nil, "20 10", 2},
		{"join of CTEs", `WITH a AS (SELECT * FROM bm25_search(1, 'a', 20)), b AS (SELECT * FROM vector_search(1, x'0000803f', 20))
			SELECT count(*) FROM a JOIN b ON a.chunk_id = b.chunk_id`, nil, "10", 2},
		{"CTE joined to itself", `WITH a AS (SELECT * FROM bm25_search(1, 'a', 20))
			SELECT count(*) FROM a x JOIN a y ON x.rank = y.rank`, nil, "20", 2},
		{"MATERIALIZED joined to itself", `WITH a AS MATERIALIZED (SELECT * FROM bm25_search(1, 'a', 20))
			SELECT count(*) FROM a x JOIN a y ON x.rank = y.rank`, nil, "20", 1},
		{"INSERT SELECT", `INSERT INTO chunks SELECT 1000 + v.id * 10 + rank, v.text FROM variants v, bm25_search(1, v.text, 2) RETURNING chunk_id`, nil,
			"1011; 1012; 1021; 1022", 3},
		{"sqlite-vec beside it", `SELECT vec_distance_cosine(x'0000803f00000000', x'000000000000803f')`, nil, "1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := f.calls.Load()
			got, err := rows(db, c.sql, c.args...)
			if err != nil {
				t.Fatalf("got error %v", err)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if calls := f.calls.Load() - before; calls != c.calls {
				t.Errorf("got %d searches, want %d", calls, c.calls)
			}
		})
	}
}

// fusion is the statement that a hybrid system runs, with weights 1.
const fusion = `
	WITH
	  a AS MATERIALIZED (SELECT chunk_id, score FROM bm25_search(1, 'a', 2)),
	  b AS MATERIALIZED (SELECT chunk_id, score FROM vector_search(1, x'0000803f', 4)),
	  votes AS (SELECT chunk_id, score FROM a UNION ALL SELECT chunk_id, score FROM b)
	SELECT chunk_id, sum(score) + CASE chunk_id WHEN 4 THEN 0.25 ELSE 0 END AS s
	FROM votes
	GROUP BY chunk_id
	ORDER BY s DESC, chunk_id
	LIMIT 3`

// TestNoSorter holds SQLite to using the order in which hits come: the plans of these statements sort nothing.
func TestNoSorter(t *testing.T) {
	db, _ := open(t, "")
	for _, c := range []struct {
		order string
		sorts bool
	}{
		{"rank", false},
		{"rank, chunk_id", false},
		{"score DESC", false},
		{"score DESC, chunk_id", false},
		{"score DESC, rank", false},
		{"rank DESC", true},
		{"score", true},
		{"score DESC, chunk_id DESC", true},
		{"chunk_id", true},
	} {
		plan, err := rows(db, `EXPLAIN QUERY PLAN SELECT chunk_id FROM bm25_search(1, 'a', 3) ORDER BY `+c.order)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(plan, "\n"), "TEMP B-TREE"); got != c.sorts {
			t.Errorf("ORDER BY %s: got sorter %v, want %v", c.order, got, c.sorts)
		}
	}
}
