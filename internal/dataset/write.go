package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"ragbench/internal/rag"
)

// object is a JSON object that keeps the order its fields were put in.
type object struct{ b bytes.Buffer }

// put adds a field; HTML characters are not escaped.
func (o *object) put(name string, value any) error {
	sep := byte(',')
	if o.b.Len() == 0 {
		sep = '{'
	}
	o.b.WriteByte(sep)
	for i, v := range []any{name, value} {
		enc := json.NewEncoder(&o.b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		o.b.Truncate(o.b.Len() - 1) // the encoder's line end
		if i == 0 {
			o.b.WriteByte(':')
		}
	}
	return nil
}

// rest adds fields of metadata in the order of their names. A value that is a JSON list or object is written as one, so
// that reading it gives the same text.
func (o *object) rest(fields map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var value any = fields[name]
		if s := fields[name]; s != "" && (s[0] == '[' || s[0] == '{') && json.Valid([]byte(s)) {
			value = json.RawMessage(s)
		}
		if err := o.put(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (o *object) writeTo(w io.Writer) error {
	o.b.WriteString("}\n")
	_, err := w.Write(o.b.Bytes())
	o.b.Reset()
	return err
}

// WriteDocument writes a document as a row of a corpus file: id, title, text, then its metadata by name.
func WriteDocument(w io.Writer, d *rag.Document) error {
	var o object
	for _, f := range []struct{ name, value string }{{"id", d.ID}, {"title", d.Title}, {"text", d.Text}} {
		if err := o.put(f.name, f.value); err != nil {
			return err
		}
	}
	if err := o.rest(d.Metadata); err != nil {
		return err
	}
	return o.writeTo(w)
}

// WriteQuestion writes a question as a row of questions.jsonl. Fields that are empty are left out.
func WriteQuestion(w io.Writer, q *rag.Question) error {
	var o object
	fields := []struct {
		name  string
		value any
		empty bool
	}{
		{"id", q.ID, false},
		{"question", q.Text, false},
		{"answerable", q.Answerable, false},
		{"reference_answer", q.Reference, q.Reference == ""},
		{"category", q.Category, q.Category == ""},
		{"difficulty", q.Difficulty, q.Difficulty == ""},
		{"answer_type", q.AnswerType, q.AnswerType == ""},
		{"expected_keywords", q.Keywords, len(q.Keywords) == 0},
		{"relevant_doc_ids", q.Relevant, len(q.Relevant) == 0},
		{"required_tools", q.Tools, len(q.Tools) == 0},
		{"routing_hint", q.RoutingHint, q.RoutingHint == ""},
		{"evidence", evidenceJSON(q.Evidence), len(q.Evidence) == 0},
	}
	for _, f := range fields {
		if f.empty {
			continue
		}
		if err := o.put(f.name, f.value); err != nil {
			return err
		}
	}
	if err := o.rest(q.Metadata); err != nil {
		return err
	}
	return o.writeTo(w)
}

// span is a row of evidence in the file.
type span struct {
	DocID string `json:"doc_id"`
	Quote string `json:"quote,omitempty"`
	Start *int   `json:"start,omitempty"`
	End   *int   `json:"end,omitempty"`
}

func evidenceJSON(es []rag.Evidence) []span {
	var out []span
	for _, e := range es {
		s := span{DocID: e.DocID, Quote: e.Quote}
		if e.Start >= 0 {
			s.Start, s.End = &e.Start, &e.End
		}
		out = append(out, s)
	}
	return out
}

// WriteQrel writes a label as a row of qrels.jsonl.
func WriteQrel(w io.Writer, q rag.Qrel) error {
	var o object
	for _, f := range []struct {
		name  string
		value any
	}{{"question_id", q.QuestionID}, {"doc_id", q.DocID}, {"relevance", q.Grade}} {
		if err := o.put(f.name, f.value); err != nil {
			return err
		}
	}
	return o.writeTo(w)
}
