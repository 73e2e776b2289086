package dataset

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"

	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
)

// readQrels reads the file of labels: JSON lines where it starts with {, else a table.
func (s *Source) readQrels(ctx context.Context) ([]rag.Qrel, []rag.Warning, error) {
	f, err := s.open(s.QrelsPath)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	br := bufio.NewReader(f)
	head, _ := br.Peek(1024)
	set := qrelSet{name: filepath.Base(s.QrelsPath)}
	if startsObject(head) {
		r, err := jsonl.NewReader(br, set.name, maxRow)
		if err != nil {
			return nil, nil, err
		}
		warns, err := readRows(ctx, r, set.addRow)
		return set.qrels, append(warns, few(set.repeated)...), err
	}
	warns, err := set.readTable(ctx, br)
	return set.qrels, append(warns, few(set.repeated)...), err
}

// startsObject reports whether the first character that is no space or byte order mark is {.
func startsObject(head []byte) bool {
	for _, c := range head {
		switch c {
		case ' ', '\t', '\r', '\n', 0, 0xef, 0xbb, 0xbf, 0xff, 0xfe:
			continue
		}
		return c == '{'
	}
	return false
}

// qrelSet collects labels and notices repetition.
type qrelSet struct {
	name     string
	qrels    []rag.Qrel
	seen     map[[2]string]seenQrel
	repeated []rag.Warning
}

type seenQrel struct{ line, grade int }

// addRow reads {question_id, doc_id, relevance} and the names other tools give these. A row without a grade means 1.
func (s *qrelSet) addRow(_ *jsonl.Reader, row *jsonl.Row) error {
	r := reading{row: row}
	q := rag.Qrel{
		QuestionID: r.str("question_id", "query_id", "query-id"),
		DocID:      r.str("doc_id", "corpus_id", "corpus-id"),
		Grade:      r.intOr(1, "relevance", "score", "grade"),
	}
	if r.err != nil {
		return r.err
	}
	return s.add(q, row.Line)
}

// add keeps a label. The same label again is a warning, another grade an error.
func (s *qrelSet) add(q rag.Qrel, line int) error {
	if q.QuestionID == "" || q.DocID == "" {
		return fmt.Errorf("%s:%d: a label names no question or no document", s.name, line)
	}
	if s.seen == nil {
		s.seen = map[[2]string]seenQrel{}
	}
	key := [2]string{q.QuestionID, q.DocID}
	before, dup := s.seen[key]
	if !dup {
		s.seen[key] = seenQrel{line, q.Grade}
		s.qrels = append(s.qrels, q)
		return nil
	}
	if before.grade != q.Grade {
		return fmt.Errorf("%s:%d: question %s and document %s have grade %d, but %d in line %d", s.name, line, q.QuestionID, q.DocID, q.Grade, before.grade, before.line)
	}
	s.repeated = append(s.repeated, rag.Warning{
		Code: "repeated_qrel", Subject: q.QuestionID,
		Message: fmt.Sprintf("%s:%d repeats the label of %s in line %d", s.name, line, q.DocID, before.line),
	})
	return nil
}
