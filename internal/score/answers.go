package score

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"ragbench/internal/sqlfile"
	"ragbench/internal/text"
)

var answerSQL = sqlfile.MustLoad(files, "answer.sql", "pending_answers", "cited", "known", "put_score", "clear_answers")

// Answers fills scores with the answer metrics of every answer of the run that lacks them and returns the number of
// answers scored. A run again finds nothing to do. Imported rankings have no answers and get no rows.
func Answers(ctx context.Context, tx *sql.Tx, runID int64) (int, error) {
	s, err := newAnswerScorer(ctx, tx)
	if err != nil {
		return 0, fmt.Errorf("score the answers of run %d: %w", runID, err)
	}
	defer s.close()
	total, after := 0, int64(0)
	for {
		page, err := pendingAnswers(ctx, tx, runID, after)
		if err != nil {
			return total, fmt.Errorf("score the answers of run %d: %w", runID, err)
		}
		if len(page) == 0 {
			return total, nil
		}
		for i := range page {
			if err := s.score(&page[i]); err != nil {
				return total, fmt.Errorf("score answer %d: %w", page[i].id, err)
			}
		}
		total += len(page)
		after = page[len(page)-1].id
	}
}

// AnswersAgain takes the answer metrics of the run out and computes them anew. Other scores stay.
func AnswersAgain(ctx context.Context, tx *sql.Tx, runID int64) (int, error) {
	names, err := json.Marshal(AnswerMetrics.Names())
	if err != nil {
		return 0, fmt.Errorf("score the answers of run %d: %w", runID, err)
	}
	_, err = tx.ExecContext(ctx, answerSQL.SQL("clear_answers"), sql.Named("run_id", runID), sql.Named("names", string(names)))
	if err != nil {
		return 0, fmt.Errorf("clear the answer scores of run %d: %w", runID, err)
	}
	return Answers(ctx, tx, runID)
}

// answerRow is a row of pending_answers.
type answerRow struct {
	id, dataset, question           int64
	status                          string
	text, reference, answers        sql.NullString
	refused                         sql.NullBool
	ranked, answerable              bool
	keywords                        string
	relevant, context, contextFound int
}

func pendingAnswers(ctx context.Context, tx *sql.Tx, runID, after int64) ([]answerRow, error) {
	rows, err := tx.QueryContext(ctx, answerSQL.SQL("pending_answers"), sql.Named("run_id", runID), sql.Named("after", after))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []answerRow
	for rows.Next() {
		var r answerRow
		err := rows.Scan(&r.id, &r.status, &r.text, &r.refused, &r.ranked, &r.dataset, &r.question, &r.answerable, &r.reference, &r.answers,
			&r.keywords, &r.relevant, &r.context, &r.contextFound)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// Reasons why an answer metric is missing.
const (
	reasonError        = "error"
	reasonNothing      = "nothing retrieved"
	reasonUnanswerable = "unanswerable"
	reasonNoReference  = "no reference"
	reasonNoKeywords   = "no keywords"
	reasonNoLabels     = "no relevant documents"
	reasonNoContext    = "empty context"
	reasonNoCitations  = "no citations"
)

// answerScorer holds the statements of one transaction.
type answerScorer struct {
	ctx               context.Context
	put, cited, known *sql.Stmt
}

func newAnswerScorer(ctx context.Context, tx *sql.Tx) (*answerScorer, error) {
	s := &answerScorer{ctx: ctx}
	for _, p := range []struct {
		name string
		to   **sql.Stmt
	}{{"put_score", &s.put}, {"cited", &s.cited}, {"known", &s.known}} {
		st, err := tx.PrepareContext(ctx, answerSQL.SQL(p.name))
		if err != nil {
			s.close()
			return nil, fmt.Errorf("prepare %s: %w", p.name, err)
		}
		*p.to = st
	}
	return s, nil
}

func (s *answerScorer) close() {
	for _, st := range []*sql.Stmt{s.put, s.cited, s.known} {
		if st != nil {
			st.Close()
		}
	}
}

// value stores a metric, or why it is missing when reason is not empty.
func (s *answerScorer) value(r *answerRow, metric string, v float64, reason string) error {
	if reason != "" {
		_, err := s.put.ExecContext(s.ctx, r.id, metric, nil, reason)
		return err
	}
	_, err := s.put.ExecContext(s.ctx, r.id, metric, v, nil)
	return err
}

// score stores every answer metric of one answer.
func (s *answerScorer) score(r *answerRow) error {
	if r.status != "ok" {
		for _, m := range AnswerMetrics.Names() {
			if err := s.value(r, m, 0, reasonError); err != nil {
				return err
			}
		}
		return nil
	}
	refused := r.refused.Bool
	if !r.refused.Valid {
		refused = text.Refuses(r.text.String)
	}
	if err := s.value(r, "refused", bit(refused), ""); err != nil {
		return err
	}
	if err := s.words(r); err != nil {
		return err
	}
	if err := s.context(r); err != nil {
		return err
	}
	return s.citations(r)
}

// words compares the answer with the references and the keywords. Of several references the best counts, as in SQuAD.
func (s *answerScorer) words(r *answerRow) error {
	references, keywords, err := r.expected()
	if err != nil {
		return err
	}
	f1, em, reason := 0.0, 0.0, ""
	switch {
	case !r.answerable:
		reason = reasonUnanswerable
	case len(references) == 0:
		reason = reasonNoReference
	}
	f1, em = Best(r.text.String, references)
	if err := s.value(r, "token_f1", f1, reason); err != nil {
		return err
	}
	if err := s.value(r, "exact_match", em, reason); err != nil {
		return err
	}
	reason = ""
	switch {
	case !r.answerable:
		reason = reasonUnanswerable
	case len(keywords) == 0:
		reason = reasonNoKeywords
	}
	return s.value(r, "keyword_recall", KeywordRecall(r.text.String, keywords), reason)
}

// expected returns the references and the keywords of the question.
func (r *answerRow) expected() (references, keywords []string, err error) {
	if r.answers.Valid {
		if err := json.Unmarshal([]byte(r.answers.String), &references); err != nil {
			return nil, nil, fmt.Errorf("read the reference answers: %w", err)
		}
	}
	if len(references) == 0 && r.reference.String != "" {
		references = []string{r.reference.String}
	}
	if err := json.Unmarshal([]byte(r.keywords), &keywords); err != nil {
		return nil, nil, fmt.Errorf("read the keywords: %w", err)
	}
	return references, keywords, nil
}

// context measures what the generator read against the labels.
func (s *answerScorer) context(r *answerRow) error {
	reason := ""
	switch {
	case !r.ranked:
		reason = reasonNothing
	case r.relevant == 0:
		reason = reasonNoLabels
	}
	if err := s.value(r, "context_recall", float64(r.contextFound)/float64(max(1, r.relevant)), reason); err != nil {
		return err
	}
	if reason == "" && r.context == 0 {
		reason = reasonNoContext
	}
	return s.value(r, "context_precision", float64(r.contextFound)/float64(max(1, r.context)), reason)
}

// citations checks what the answer cites.
func (s *answerScorer) citations(r *answerRow) error {
	var failed error
	list := Citations(r.text.String, func(id string) bool {
		var known bool
		if err := s.known.QueryRowContext(s.ctx, id, r.dataset).Scan(&known); err != nil {
			failed = err
		}
		return known
	})
	if failed != nil {
		return fmt.Errorf("look up a cited document: %w", failed)
	}
	var known, read, relevant float64
	for _, id := range list {
		var k, c, e bool
		if err := s.cited.QueryRowContext(s.ctx, id, r.dataset, r.id, r.question).Scan(&k, &c, &e); err != nil {
			return fmt.Errorf("look up a cited document: %w", err)
		}
		known, read, relevant = known+bit(k), read+bit(c), relevant+bit(e)
	}
	reason := ""
	if len(list) == 0 {
		reason = reasonNoCitations
	}
	n := float64(max(1, len(list)))
	if err := s.value(r, "num_citations", float64(len(list)), ""); err != nil {
		return err
	}
	if err := s.value(r, "citation_known", known/n, reason); err != nil {
		return err
	}
	if err := s.value(r, "citation_in_context", read/n, reason); err != nil {
		return err
	}
	if reason == "" && r.relevant == 0 {
		reason = reasonNoLabels
	}
	return s.value(r, "citation_relevant", relevant/n, reason)
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
