package dataset

import (
	"fmt"

	"ragbench/internal/rag"
)

// Validate checks questions and labels against each other and against the documents, of which has knows the ids.
// Repeated question ids are an error, since every score is kept by them. All else is a warning: five of each kind and
// the number of the others.
func Validate(has func(docID string) bool, questions []rag.Question, qrels []rag.Qrel) ([]rag.Warning, error) {
	known := make(map[string]bool, len(questions))
	for _, q := range questions {
		if known[q.ID] {
			return nil, fmt.Errorf("question id %q appears twice", q.ID)
		}
		known[q.ID] = true
	}
	v := validation{has: has, judged: map[string]map[string]int{}}
	for _, r := range qrels {
		if v.judged[r.QuestionID] == nil {
			v.judged[r.QuestionID] = map[string]int{}
		}
		v.judged[r.QuestionID][r.DocID] = r.Grade
	}
	for _, q := range questions {
		v.question(q)
	}
	told := map[string]bool{}
	for _, r := range qrels {
		if !known[r.QuestionID] && !told[r.QuestionID] {
			told[r.QuestionID] = true
			v.unknown = append(v.unknown, warning("unknown_question", r.QuestionID, "labels name a question that does not exist"))
		}
		if !has(r.DocID) {
			v.missing = append(v.missing, warning("missing_document", r.DocID, "a label of question "+r.QuestionID+" names a document that does not exist"))
		}
	}
	var out []rag.Warning
	out = append(out, few(v.missing)...)
	out = append(out, few(v.unknown)...)
	out = append(out, few(v.unjudged)...)
	if v.labelled == 0 && len(questions) > 0 {
		return append(out, warning("label_free", "", "no question has relevance labels: retrieval is not scored")), nil
	}
	return append(out, few(v.unlabelled)...), nil
}

type validation struct {
	has      func(string) bool
	judged   map[string]map[string]int // question id -> document id -> grade
	labelled int                       // questions with a relevant document

	missing, unknown, unjudged, unlabelled []rag.Warning
}

func (v *validation) question(q rag.Question) {
	judged := v.judged[q.ID]
	relevant := len(q.Relevant) > 0
	for _, grade := range judged {
		relevant = relevant || grade > 0
	}
	if relevant {
		v.labelled++
	} else if q.Answerable {
		v.unlabelled = append(v.unlabelled, warning("unlabelled_question", q.ID, "the question is answerable, but no document is labelled relevant"))
	}
	for _, id := range q.Relevant {
		if !v.has(id) {
			v.missing = append(v.missing, warning("missing_document", id, "question "+q.ID+" names a relevant document that does not exist"))
		}
		if _, ok := judged[id]; q.Answerable && len(judged) > 0 && !ok {
			v.unjudged = append(v.unjudged, warning("unjudged_relevant", id, "question "+q.ID+" calls the document relevant, but the graded labels leave it out"))
		}
	}
	for _, e := range q.Evidence {
		if !v.has(e.DocID) {
			v.missing = append(v.missing, warning("missing_document", e.DocID, "evidence of question "+q.ID+" names a document that does not exist"))
		}
	}
}

func warning(code, subject, message string) rag.Warning {
	return rag.Warning{Code: code, Subject: subject, Message: message}
}
