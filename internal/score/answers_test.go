package score_test

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ragbench/internal/score"
	"ragbench/internal/score/scoretest"
)

// TestAnswers scores the answers of the goldens' file: what is missing has a reason, an imported ranking has no rows, and
// a second pass finds nothing to do.
func TestAnswers(t *testing.T) {
	base, err := os.ReadFile("../../queries/testdata/base.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, _ := scoretest.Open(t)
	if _, err := db.Exec(string(base) + `
UPDATE answers SET text = 'At nine. [ferry.md] [crew.md | 3, pier_7]' WHERE answer_id = 2;
UPDATE questions SET metadata = '{"answers":"[\"At 9.\",\"nine\"]"}', keywords = '["nine","noon"]' WHERE question_id = 1;
UPDATE answers SET ranked = 1, status = 'ok' WHERE answer_id = 10;`); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{11, 0} {
		scoretest.Write(t, db, func(tx *sql.Tx) error {
			n, err := score.Answers(context.Background(), tx, 2)
			if err == nil && n != want {
				t.Errorf("got %d answers scored, want %d", n, want)
			}
			return err
		})
	}
	scoretest.Write(t, db, func(tx *sql.Tx) error {
		_, err := score.AnswersAgain(context.Background(), tx, 2)
		return err
	})
	_, rows := scoretest.Dump(t, db, "SELECT answer_id, metric, coalesce(round(value, 3), reason) FROM scores ORDER BY answer_id, metric")
	var got strings.Builder
	last := ""
	for _, r := range rows {
		if r[0] != last {
			got.WriteString("\n" + r[0] + ":")
			last = r[0]
		}
		got.WriteString(" " + r[1] + "=" + strings.ReplaceAll(r[2], " ", "_"))
	}
	const want = `
2: citation_in_context=0.333 citation_known=0.667 citation_relevant=0.333 context_precision=1 context_recall=0.5 exact_match=0 keyword_recall=0.5 num_citations=3 refused=0 token_f1=0.667
3: citation_in_context=1 citation_known=1 citation_relevant=1 context_precision=0.5 context_recall=0.5 exact_match=1 keyword_recall=no_keywords num_citations=1 refused=0 token_f1=1
4: citation_in_context=no_citations citation_known=no_citations citation_relevant=no_citations context_precision=no_relevant_documents context_recall=no_relevant_documents exact_match=unanswerable keyword_recall=unanswerable num_citations=0 refused=1 token_f1=unanswerable
5: citation_in_context=error citation_known=error citation_relevant=error context_precision=error context_recall=error exact_match=error keyword_recall=error num_citations=error refused=error token_f1=error
6: citation_in_context=no_citations citation_known=no_citations citation_relevant=no_citations context_precision=0.5 context_recall=0.5 exact_match=0 keyword_recall=0.5 num_citations=0 refused=0 token_f1=0.667
7: citation_in_context=no_citations citation_known=no_citations citation_relevant=no_citations context_precision=0 context_recall=0 exact_match=0 keyword_recall=no_keywords num_citations=0 refused=0 token_f1=0
8: citation_in_context=no_citations citation_known=no_citations citation_relevant=no_citations context_precision=no_relevant_documents context_recall=no_relevant_documents exact_match=unanswerable keyword_recall=unanswerable num_citations=0 refused=0 token_f1=unanswerable
9: citation_in_context=no_citations citation_known=no_citations citation_relevant=no_citations context_precision=nothing_retrieved context_recall=nothing_retrieved exact_match=0 keyword_recall=0.5 num_citations=0 refused=0 token_f1=0.5
10: citation_in_context=no_citations citation_known=no_citations citation_relevant=no_citations context_precision=empty_context context_recall=0 exact_match=0 keyword_recall=no_keywords num_citations=0 refused=0 token_f1=0
11: citation_in_context=no_citations citation_known=no_citations citation_relevant=no_citations context_precision=nothing_retrieved context_recall=nothing_retrieved exact_match=unanswerable keyword_recall=unanswerable num_citations=0 refused=0 token_f1=unanswerable
12: citation_in_context=no_citations citation_known=no_citations citation_relevant=no_citations context_precision=nothing_retrieved context_recall=nothing_retrieved exact_match=no_reference keyword_recall=no_keywords num_citations=0 refused=0 token_f1=no_reference`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
}
