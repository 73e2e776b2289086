package report

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"testing"

	"ragbench/internal/score"
	"ragbench/internal/score/scoretest"
)

// hostile are texts that have tried to be something else than text.
var hostile = []string{
	"</script><script>document.title='owned'</script>",
	`<img src=x onerror="document.title='owned'">`,
	"\x1b[31mred\x1b[0m\a",
	"left \u202eright to left\u202c, \u2066isolated\u2069, עברית",
	"emoji 👩‍👩‍👧 and a flag 🇮🇸",
	"{{braces}} {{template \"x\"}} ${dollar}",
	"' onmouseover='x' \" style=\"",
	"<!-- <script> ]]> &lt;&amp; https://example.org/x.js \u2028 end",
}

// addRun makes a file with one run of three systems over five questions: bm25, which finds things, an imported ranking,
// and no_retrieval, which failed once. Every free text is hostile.
func addRun(t testing.TB, mode string) *sql.DB {
	t.Helper()
	db, _ := scoretest.Open(t)
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		exec := func(text string, args ...any) {
			t.Helper()
			if _, err := tx.Exec(text, args...); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		exec("INSERT INTO datasets (dataset_id, name, sha256, corpus_sha256, source, num_documents, num_questions, created_at) VALUES (1, ?, printf('%064d', 1), printf('%064d', 2), 'data', 3, 5, '2026-01-01T00:00:00Z')", "set "+hostile[0])
		exec("INSERT INTO dataset_warnings (dataset_id, position, code, subject, message) VALUES (1, 0, 'empty_document', 'doc', ?)", hostile[1])
		for i, doc := range []string{"doc_a", "doc_b", "doc_c"} {
			text := fmt.Sprintf("%s %s", doc, hostile[i])
			exec("INSERT INTO documents (document_id, doc_id, sha256, title, text, source_path, media_type, encoding, metadata, num_chars, num_bytes) VALUES (?, ?, printf('%064d', ?), 'title', ?, 'p', 'text/plain', 'utf-8', '{}', 10, 10)", i+1, doc, i, text)
			exec("INSERT INTO dataset_documents (dataset_id, position, document_id) VALUES (1, ?, ?)", i, i+1)
		}
		exec("INSERT INTO indexes (index_id, key, corpus_sha256, recipe, tokenizer, num_chunks, build_ms, metadata, created_at) VALUES (1, printf('%064d', 9), printf('%064d', 2), '{}', 'words', 3, 1, '{}', '2026-01-01T00:00:00Z')")
		for i, text := range []string{"first " + hostile[3], "second " + hostile[4], "third " + hostile[7]} {
			exec("INSERT INTO chunks (chunk_id, index_id, document_id, key, kind, position, text, text_sha256, token_count) VALUES (?, 1, ?, ?, 'chunk', 0, ?, zeroblob(32), 3)", i+1, i+1, fmt.Sprint("c", i), text)
		}
		for i := range 5 {
			category := any("kind_a")
			if i > 2 {
				category = hostile[6]
			}
			exec("INSERT INTO questions (question_id, dataset_id, position, qid, text, answerable, labelled, reference_answer, category) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)",
				i+1, i, fmt.Sprint("q", i+1), "question "+hostile[i], i != 4, i != 4, "reference "+hostile[5], category)
			if i < 4 {
				exec("INSERT INTO qrels (question_id, doc_id, grade, relevant) VALUES (?, ?, ?, 1)", i+1, []string{"doc_a", "doc_b", "doc_c", "doc_missing"}[i], i%3+1)
			}
		}
		exec(`INSERT INTO runs (run_id, name, label, dataset_id, mode, status, config, config_sha256, seed, k_values, primary_k, retrieval_depth, context_k, ndcg_gain, code_version, started_at, finished_at)
			VALUES (1, 'trial', 'trial_1', 1, ?, 'done', ?, printf('%064d', 3), 7, '[1,3]', 3, 3, 2, 'linear', 'v1', '2026-01-02T03:04:05Z', '2026-01-02T03:05:06Z')`,
			mode, "run:\n  name: trial # "+hostile[0]+"\n")
		for i, s := range [][2]string{{"bm25", "bm25"}, {"peer", "trec_run"}, {"no_retrieval", "no_retrieval"}} {
			exec("INSERT INTO systems (system_id, run_id, position, name, type, config, config_sha256, sql) VALUES (?, 1, ?, ?, ?, ?, printf('%064d', ?), ?)", i+1, i, s[0], s[1], `{"k1":1.2}`, i, "SELECT '"+hostile[1]+"'")
		}
		exec("INSERT INTO ingestions (system_id, num_chunks, num_vectors, built, reused, wall_ms, embedding_tokens, llm_tokens, cost_usd) VALUES (1, 3, 0, '[\"chunks\"]', '[]', 12.5, 0, 0, 0)")
		answer := 0
		for system := 1; system <= 3; system++ {
			for q := 1; q <= 5; q++ {
				if system == 3 && q == 5 {
					continue // a cell that is missing
				}
				answer++
				status, failure, text := "ok", any(nil), any(fmt.Sprintf("answer %s", hostile[q]))
				if system == 3 && q == 1 {
					status, failure, text = "error", "boom "+hostile[2], nil
				}
				cost := any(0.001 * float64(q))
				if system == 1 && q == 1 {
					cost = nil
				}
				exec("INSERT INTO answers (answer_id, system_id, question_id, status, error, text, refused, finish, ranked, latency_ms, prompt_tokens, total_cost) VALUES (?, ?, ?, ?, ?, ?, ?, 'stop', ?, ?, 100, ?)",
					answer, system, q, status, failure, text, q == 5, system != 3, float64(10*system+q), cost)
				if system == 3 {
					continue
				}
				for rank := 1; rank <= 3; rank++ {
					doc, chunk := (rank+q*system)%3, any(nil)
					if system == 1 {
						chunk = doc + 1
					}
					if system == 2 && rank == 3 {
						continue
					}
					exec("INSERT INTO hits (answer_id, leg, rank, chunk_id, doc_id, doc_rank, score, in_context) VALUES (?, 'final', ?, ?, ?, ?, ?, ?)",
						answer, rank, chunk, []string{"doc_a", "doc_b", "doc_c"}[doc], rank, 1/float64(rank), rank <= 2)
				}
				if system == 1 {
					exec("INSERT INTO steps (answer_id, position, kind, name, start_ms, latency_ms, input, output, cost_usd) VALUES (?, 0, 'retrieve', 'bm25_search', 0, 2, ?, 'out', 0)", answer, hostile[0])
					exec("INSERT INTO steps (answer_id, position, kind, name, start_ms, latency_ms, input, output, cost_usd, error) VALUES (?, 1, 'generate', 'answer', 2, 6, 'in', ?, 0.001, ?)", answer, hostile[1], map[bool]any{true: "step " + hostile[0], false: nil}[q == 2])
				}
			}
		}
		_, err := score.Run(context.Background(), tx, 1)
		return err
	})
	return db
}

// render writes the page of the newest run.
func render(t testing.TB, q Querier, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(context.Background(), q, &b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
