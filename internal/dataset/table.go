package dataset

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ragbench/internal/load/charset"
	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
)

// columns are where the parts of a label stand in a line of a table.
type columns struct{ question, doc, grade int }

var (
	beirColumns = columns{0, 1, 2} // query-id, corpus-id, score
	trecColumns = columns{0, 2, 3} // topic, iteration, document, relevance
)

// readTable reads labels line by line: BEIR's three columns under a header, or TREC's four. Columns are parted by tabs,
// or by any white space where that does not give three or four; blank lines and lines that start with # are passed
// over; line ends may be LF or CR LF.
func (s *qrelSet) readTable(ctx context.Context, r io.Reader) ([]rag.Warning, error) {
	in, _, notes, err := charset.Stream(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.name, err)
	}
	var warns []rag.Warning
	for _, n := range notes {
		warns = append(warns, rag.Warning{Code: n.Code, Subject: s.name, Message: n.Message})
	}
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 1<<20)
	var named *columns
	first := true
	for line := 1; sc.Scan(); line++ {
		if err := ctx.Err(); err != nil {
			return warns, err
		}
		t := strings.TrimSpace(sc.Text())
		if t == "" || t[0] == '#' {
			continue
		}
		cells := cellsOf(t)
		if first {
			first = false
			if named = headerColumns(cells); named != nil {
				continue
			}
		}
		q, err := tableQrel(cells, named)
		if err != nil {
			return warns, fmt.Errorf("read dataset: %s:%d: %w", s.name, line, err)
		}
		if err := s.add(q, line); err != nil {
			return warns, fmt.Errorf("read dataset: %w", err)
		}
	}
	if err := sc.Err(); err != nil {
		return warns, fmt.Errorf("read %s: %w", s.name, err)
	}
	return warns, nil
}

func cellsOf(line string) []string {
	cells := strings.Split(line, "\t")
	if len(cells) != 3 && len(cells) != 4 {
		return strings.Fields(line)
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// headerColumns reads a line of column names, or returns nil.
func headerColumns(cells []string) *columns {
	find := func(names ...string) int {
		return slices.IndexFunc(cells, func(c string) bool { return slices.Contains(names, strings.ToLower(c)) })
	}
	c := columns{
		question: find("query-id", "query_id", "question_id", "qid", "query", "topic"),
		doc:      find("corpus-id", "corpus_id", "doc_id", "docid", "doc-id", "docno"),
		grade:    find("score", "relevance", "grade", "rel", "label"),
	}
	if c.question < 0 || c.doc < 0 || c.grade < 0 {
		return nil
	}
	return &c
}

func tableQrel(cells []string, named *columns) (rag.Qrel, error) {
	var c columns
	switch {
	case named != nil:
		c = *named
		if len(cells) <= max(c.question, c.doc, c.grade) {
			return rag.Qrel{}, fmt.Errorf("%d columns, fewer than the header", len(cells))
		}
	case len(cells) == 3:
		c = beirColumns
	case len(cells) == 4:
		c = trecColumns
	default:
		return rag.Qrel{}, fmt.Errorf("%d columns, want 3 (query-id corpus-id score) or 4 (topic iteration document relevance)", len(cells))
	}
	grade, ok := jsonl.WholeNumber(cells[c.grade])
	if !ok {
		return rag.Qrel{}, errors.New("the grade must be a whole number, got " + cells[c.grade])
	}
	return rag.Qrel{QuestionID: cells[c.question], DocID: cells[c.doc], Grade: grade}, nil
}
