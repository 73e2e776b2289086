package score_test

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ragbench/internal/score"
	"ragbench/internal/score/scoretest"
)

const spanDocument = 60 // code points of each document of the test

// spanFile is a file with one run of one system over questions with random passages and random hits.
type spanFile struct {
	passages map[int][][3]int // question to document, start, end
	hits     map[int][][3]int // by rank
}

func newSpanFile(t *testing.T, db *sql.DB, r *rand.Rand) spanFile {
	t.Helper()
	f := spanFile{map[int][][3]int{}, map[int][][3]int{}}
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		exec := func(text string, args ...any) {
			if _, err := tx.Exec(text, args...); err != nil {
				t.Fatal(err)
			}
		}
		exec("INSERT INTO datasets VALUES (1, 'd', printf('%064d', 1), printf('%064d', 1), '', 2, 9, '2026-01-01T00:00:00Z')")
		exec("INSERT INTO indexes VALUES (1, printf('%064d', 1), printf('%064d', 1), '{}', 'approx', 9, 1, '{}', '2026-01-01T00:00:00Z')")
		for d := 1; d <= 2; d++ {
			exec(`INSERT INTO documents (document_id, doc_id, sha256, title, text, source_path, media_type, encoding, num_chars, num_bytes)
			  VALUES (?, ?, printf('%064d', ?), '', '', '', '', '', 0, 0)`, d, fmt.Sprint("d", d), d)
		}
		exec(`INSERT INTO runs (run_id, name, label, dataset_id, mode, status, config, config_sha256, seed, k_values, primary_k, retrieval_depth, context_k, ndcg_gain, code_version, started_at)
		  VALUES (1, 'r', 'r', 1, 'mock', 'done', '', printf('%064d', 1), 0, '[1,3,5]', 3, 5, 5, 'linear', '', '2026-01-01T00:00:00Z')`)
		exec("INSERT INTO systems VALUES (1, 1, 0, 's', 's', '{}', printf('%064d', 1), '')")
		span := func() (d, start, end int) {
			start = r.IntN(spanDocument - 1)
			return 1 + r.IntN(2), start, start + 1 + r.IntN(min(25, spanDocument-start))
		}
		chunk := 0
		for q := 1; q <= 40; q++ {
			exec("INSERT INTO questions (question_id, dataset_id, position, qid, text) VALUES (?, 1, ?, ?, '')", q, q, fmt.Sprint("q", q))
			for i := range q % 4 { // every fourth has none
				d, start, end := span()
				exec("INSERT INTO evidence VALUES (?, ?, ?, ?, ?, '')", q, i, fmt.Sprint("d", d), start, end)
				f.passages[q] = append(f.passages[q], [3]int{d, start, end})
			}
			exec("INSERT INTO evidence VALUES (?, 9, 'd1', -1, -1, 'a quote without offsets')", q)
			status, ranked, fault := "ok", 1, any(nil)
			if q == 5 {
				status, fault = "error", "broken"
			}
			if q == 6 {
				ranked = 0
			}
			exec("INSERT INTO answers (answer_id, system_id, question_id, status, error, ranked, latency_ms, embedding_tokens, prompt_tokens, completion_tokens) VALUES (?, 1, ?, ?, ?, ?, 1, 0, 0, 0)", q, q, status, fault, ranked)
			for rank := 1; rank <= q%6; rank++ {
				d, start, end := span()
				chunk++
				exec(`INSERT INTO chunks (chunk_id, index_id, document_id, key, kind, position, start_char, end_char, text, text_sha256, token_count)
				  VALUES (?, 1, ?, ?, 'chunk', 0, ?, ?, 'x', zeroblob(32), 1)`, chunk, d, fmt.Sprint(chunk), start, end)
				exec("INSERT INTO hits (answer_id, leg, rank, chunk_id, doc_id, score) VALUES (?, 'final', ?, ?, ?, 1)", q, rank, chunk, fmt.Sprint("d", d))
				f.hits[q] = append(f.hits[q], [3]int{d, start, end})
			}
		}
		return nil
	})
	return f
}

// metrics counts by painting characters.
func (f spanFile) metrics(q, k int) map[string]float64 {
	wanted, got := map[[2]int]bool{}, map[[2]int]bool{}
	for _, p := range f.passages[q] {
		for i := p[1]; i < p[2]; i++ {
			wanted[[2]int{p[0], i}] = true
		}
	}
	retrieved, found := 0, 0
	for rank, h := range f.hits[q] {
		if rank >= k {
			break
		}
		retrieved += h[2] - h[1]
		for i := h[1]; i < h[2]; i++ {
			at := [2]int{h[0], i}
			if wanted[at] && !got[at] {
				found++
			}
			got[at] = true
		}
	}
	out := map[string]float64{
		"span_recall":    float64(found) / float64(len(wanted)),
		"span_precision": float64(found) / float64(max(1, retrieved)),
		"span_iou":       float64(found) / float64(retrieved+len(wanted)-found),
	}
	return out
}

func TestSpansEqualCounting(t *testing.T) {
	db, _ := scoretest.Open(t)
	f := newSpanFile(t, db, rand.New(rand.NewPCG(5, 6)))
	for range 2 { // the second time writes the same
		scoretest.Write(t, db, func(tx *sql.Tx) error {
			n, err := score.Spans(context.Background(), tx, 1)
			if want := 30 * 3 * 3; n != want {
				t.Errorf("Spans wrote %d values, want %d", n, want)
			}
			return err
		})
	}
	for q := 1; q <= 40; q++ {
		for _, k := range []int{1, 3, 5} {
			want := f.metrics(q, k)
			for _, e := range score.SpanMetrics {
				var value sql.NullFloat64
				var reason sql.NullString
				err := db.QueryRow("SELECT value, reason FROM scores WHERE answer_id = ? AND metric = ?", q, fmt.Sprintf("%s@%d", e.Name, k)).Scan(&value, &reason)
				switch {
				case q%4 == 0:
					if err != sql.ErrNoRows {
						t.Errorf("%s of question %d without passages: got %v, %v, want no row", e.Name, q, value, err)
					}
				case err != nil:
					t.Errorf("%s@%d of question %d: %v", e.Name, k, q, err)
				case q == 5 || q == 6:
					if wantReason := map[int]string{5: "error", 6: "nothing retrieved"}[q]; value.Valid || reason.String != wantReason {
						t.Errorf("%s of question %d: got %v because of %q, want none because of %q", e.Name, q, value, reason.String, wantReason)
					}
				case math.Abs(value.Float64-want[e.Name]) > 1e-12:
					t.Errorf("%s@%d of question %d: got %v, want %v", e.Name, k, q, value.Float64, want[e.Name])
				}
			}
		}
	}
}
