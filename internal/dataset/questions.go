package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// readQuestions reads the file of questions.
func (s *Source) readQuestions(ctx context.Context) ([]rag.Question, []rag.Warning, error) {
	var out []rag.Question
	var empty []rag.Warning
	lines := map[string]int{}
	warns, err := s.eachRow(ctx, s.QuestionsPath, func(_ *jsonl.Reader, row *jsonl.Row) error {
		q, err := questionOf(row)
		if err != nil {
			return err
		}
		if before, dup := lines[q.ID]; dup {
			return row.Errorf("question id %q is that of line %d too", q.ID, before)
		}
		lines[q.ID] = row.Line
		if text.Blank(q.Text) {
			empty = append(empty, rag.Warning{Code: "empty_question", Subject: q.ID, Message: "the question has no text"})
		}
		out = append(out, q)
		return nil
	})
	return out, append(warns, few(empty)...), err
}

// questionOf reads a row of questions.jsonl or of BEIR's queries.jsonl. A question is answerable unless it says no. Of
// several reference answers the first is the reference, and all are kept in the metadata as answers.
func questionOf(row *jsonl.Row) (q rag.Question, err error) {
	r := reading{row: row}
	q.ID = r.str("id", "question_id", "_id")
	q.Text = r.str("question", "text", "query")
	q.Answerable = r.boolOr(true, "answerable")
	answers := r.list("reference_answer", "answer", "answers")
	q.Category = r.str("category")
	q.Difficulty = r.str("difficulty")
	q.AnswerType = r.str("answer_type")
	q.Keywords = r.list("expected_keywords")
	q.Relevant = r.list("relevant_doc_ids")
	q.Tools = r.list("required_tools")
	q.RoutingHint = r.str("routing_hint")
	q.Evidence = r.evidence()
	if r.err != nil {
		return q, r.err
	}
	if q.ID == "" {
		return q, row.Errorf("a question has no id")
	}
	q.Metadata = row.Rest()
	if len(answers) > 0 {
		q.Reference = answers[0]
	}
	if len(answers) > 1 {
		b, err := json.Marshal(answers)
		if err != nil {
			return q, row.Errorf("keep the answers: %w", err)
		}
		if q.Metadata == nil {
			q.Metadata = map[string]string{}
		}
		q.Metadata["answers"] = string(b)
	}
	return q, nil
}

// reading reads fields of a row until the first error.
type reading struct {
	row *jsonl.Row
	err error
}

func (r *reading) str(names ...string) string {
	s, _, err := r.row.String(names...)
	r.keep(err)
	return s
}

func (r *reading) list(names ...string) []string {
	s, err := r.row.Strings(names...)
	r.keep(err)
	return s
}

func (r *reading) boolOr(absent bool, names ...string) bool {
	b, ok, err := r.row.Bool(names...)
	r.keep(err)
	if !ok {
		return absent
	}
	return b
}

func (r *reading) intOr(absent int, names ...string) int {
	n, ok, err := r.row.Int(names...)
	r.keep(err)
	if !ok {
		return absent
	}
	return n
}

func (r *reading) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) }

// few keeps the first five warnings and counts the others.
func few(ws []rag.Warning) []rag.Warning {
	const most = 5
	if len(ws) <= most {
		return ws
	}
	more := rag.Warning{Code: ws[0].Code, Message: fmt.Sprintf("and %d more", len(ws)-most)}
	return append(ws[:most:most], more)
}
