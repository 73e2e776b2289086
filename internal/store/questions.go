package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ragbench/internal/rag"
)

// putQuestions writes the questions of a dataset with their labels.
func putQuestions(ctx context.Context, tx *sql.Tx, datasetID int64, questions []rag.Question, qrels []rag.Qrel) error {
	graded := map[string][]rag.Qrel{}
	for _, r := range qrels {
		graded[r.QuestionID] = append(graded[r.QuestionID], r)
	}
	put, err := tx.PrepareContext(ctx, corpusSQL.SQL("put_question"))
	if err != nil {
		return err
	}
	defer put.Close()
	putQrel, err := tx.PrepareContext(ctx, corpusSQL.SQL("put_qrel"))
	if err != nil {
		return err
	}
	defer putQrel.Close()
	for i, q := range questions {
		meta, err := metadataJSON(q.Metadata)
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		labels := Labels(q, graded[q.ID])
		labelled := slices.ContainsFunc(labels, func(l Label) bool { return l.Relevant || l.Grade > 0 })
		var id int64
		err = put.QueryRowContext(ctx, sql.Named("dataset_id", datasetID), sql.Named("position", i), sql.Named("qid", q.ID), sql.Named("text", q.Text),
			sql.Named("answerable", q.Answerable), sql.Named("labelled", labelled), sql.Named("reference_answer", nullable(q.Reference)),
			sql.Named("category", nullable(q.Category)), sql.Named("difficulty", nullable(q.Difficulty)), sql.Named("answer_type", nullable(q.AnswerType)),
			sql.Named("keywords", listJSON(q.Keywords)), sql.Named("required_tools", listJSON(q.Tools)), sql.Named("routing_hint", nullable(q.RoutingHint)),
			sql.Named("metadata", meta)).Scan(&id)
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		for _, l := range labels {
			if _, err := putQrel.ExecContext(ctx, sql.Named("question_id", id), sql.Named("doc_id", l.DocID), sql.Named("grade", l.Grade), sql.Named("relevant", l.Relevant)); err != nil {
				return fmt.Errorf("label of question %s: %w", q.ID, err)
			}
		}
		for j, e := range q.Evidence {
			if err := putEvidence(ctx, tx, datasetID, id, j, e); err != nil {
				return fmt.Errorf("evidence of question %s: %w", q.ID, err)
			}
		}
	}
	return nil
}

// Label is one relevance label as stored.
type Label struct {
	DocID    string
	Grade    int
	Relevant bool
}

// Labels merges a question's binary list with its graded judgments. Where both exist, the list decides what is
// relevant and the judgments what it gains, a missing one being 0; where only one exists, it decides both.
func Labels(q rag.Question, graded []rag.Qrel) []Label {
	byDoc := map[string]*Label{}
	for _, r := range graded {
		byDoc[r.DocID] = &Label{DocID: r.DocID, Grade: r.Grade, Relevant: r.Grade > 0 && len(q.Relevant) == 0}
	}
	for _, id := range q.Relevant {
		l, ok := byDoc[id]
		if !ok {
			l = &Label{DocID: id}
			if len(graded) == 0 {
				l.Grade = 1
			}
			byDoc[id] = l
		}
		l.Relevant = true
	}
	labels := make([]Label, 0, len(byDoc))
	for _, l := range byDoc {
		labels = append(labels, *l)
	}
	slices.SortFunc(labels, func(a, b Label) int { return strings.Compare(a.DocID, b.DocID) })
	return labels
}

// putEvidence writes a labelled span; one given by its words is looked up in the document.
func putEvidence(ctx context.Context, tx *sql.Tx, datasetID, questionID int64, position int, e rag.Evidence) error {
	var text string
	err := tx.QueryRowContext(ctx, corpusSQL.SQL("evidence_text"), sql.Named("dataset_id", datasetID), sql.Named("doc_id", e.DocID)).Scan(&text)
	if err != nil && err != sql.ErrNoRows {
		return err
	}
	if e.Start < 0 || (e.Start == 0 && e.End == 0) {
		e.Start, e.End = -1, -1
		if i := strings.Index(text, e.Quote); e.Quote != "" && i >= 0 {
			e.Start = utf8.RuneCountInString(text[:i])
			e.End = e.Start + utf8.RuneCountInString(e.Quote)
		}
	} else if e.Quote == "" {
		if runes := []rune(text); e.End <= len(runes) && e.Start <= e.End {
			e.Quote = string(runes[e.Start:e.End])
		}
	}
	_, err = tx.ExecContext(ctx, corpusSQL.SQL("put_evidence"), sql.Named("question_id", questionID), sql.Named("position", position),
		sql.Named("doc_id", e.DocID), sql.Named("start_char", e.Start), sql.Named("end_char", e.End), sql.Named("quote", e.Quote))
	return err
}

// nullable stores an empty string as NULL.
func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// listJSON writes a list of strings as a JSON array.
func listJSON(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(b)
}
