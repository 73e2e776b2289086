package score

import (
	"context"
	"database/sql"
	"testing"

	"ragbench/internal/score/scoretest"
)

// synthetic fills a file with a run of systems × questions × depth hits over made-up labels: three a question, spread so
// that some are found and some are not.
const synthetic = `
INSERT INTO datasets VALUES (1, 'd', printf('%064d', 0), printf('%064d', 0), '', 0, 0, '2026-01-01T00:00:00Z');
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :questions)
INSERT INTO questions (dataset_id, position, qid, text, labelled) SELECT 1, i, 'q' || i, 'text ' || i, 1 FROM n;
INSERT INTO qrels SELECT q.question_id, printf('doc%d', (q.question_id * 7 + g.value * 5) % 30000), 1 + g.value % 3, 1 FROM questions AS q, json_each('[0,1,2]') AS g;
INSERT INTO runs VALUES (1, 'r', 'r', 1, 'import', 'done', '', printf('%064d', 0), 0, '[1,3,5,10]', 5, 10, 5, 'linear', '', '', NULL, '{}');
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :systems)
INSERT INTO systems SELECT i + 1, 1, i, 's' || i, 'trec_run', '{}', printf('%064d', 0), '' FROM n;
INSERT INTO answers (system_id, question_id, status, ranked, latency_ms) SELECT s.system_id, q.question_id, 'ok', 1, 0 FROM systems AS s, questions AS q;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :depth)
INSERT INTO hits (answer_id, leg, rank, doc_id, doc_rank, score)
SELECT a.answer_id, 'final', n.i, printf('doc%d', (a.question_id * 7 + (n.i * 3 + a.system_id) % 17) % 30000), n.i, 1.0 / n.i FROM answers AS a, n;
`

func fillSynthetic(tb testing.TB, db *sql.DB, systems, questions, depth int) {
	tb.Helper()
	scoretest.Write(tb, db, func(tx *sql.Tx) error {
		_, err := tx.Exec(synthetic, sql.Named("systems", systems), sql.Named("questions", questions), sql.Named("depth", depth))
		return err
	})
}

// BenchmarkRun scores 30 systems × 6,000 questions × depth 10 at four cut-offs: 1.8 million hits, 6.3 million scores.
func BenchmarkRun(b *testing.B) {
	db, _ := scoretest.Open(b)
	fillSynthetic(b, db, 30, 6000, 10)
	for b.Loop() {
		tx, err := db.Begin()
		if err != nil {
			b.Fatal(err)
		}
		n, err := Run(context.Background(), tx, 1)
		if err != nil {
			b.Fatal(err)
		}
		if n != 30*6000 {
			b.Fatalf("got %d answers scored, want %d", n, 30*6000)
		}
		tx.Rollback()
	}
}

// BenchmarkViews reads the views over the same rows, scored: one answer, one system, all of them.
func BenchmarkViews(b *testing.B) {
	db, _ := scoretest.Open(b)
	fillSynthetic(b, db, 30, 6000, 10)
	scoretest.Write(b, db, func(tx *sql.Tx) error {
		_, err := Run(context.Background(), tx, 1)
		return err
	})
	for _, bb := range []struct{ name, query string }{
		{"metrics of an answer", "SELECT * FROM retrieval_metrics WHERE answer_id = 9000"},
		{"metrics of a system", "SELECT count(ndcg), avg(ndcg) FROM retrieval_metrics WHERE system_id = 7 AND k = 10"},
		{"scores of an answer", "SELECT * FROM question_scores WHERE answer_id = 9000"},
		{"means of a system", "SELECT * FROM metric_means WHERE system_id = 7"},
		{"leaderboard of a system", "SELECT * FROM leaderboard WHERE system_id = 7"},
		{"leaderboard", "SELECT * FROM leaderboard WHERE run_id = 1"},
		{"trust", "SELECT * FROM trust WHERE run_id = 1"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				if _, rows := scoretest.Dump(b, db, bb.query); len(rows) == 0 {
					b.Fatal("got no rows")
				}
			}
		})
	}
}
