package trec

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"ragbench/internal/rag"
)

// ReadQrels reads the judgment file at path, which may be gzipped.
func ReadQrels(path string) ([]rag.Qrel, error) { return read(path, ParseQrels) }

// ParseQrels reads a judgment file called name in messages, in the order of its lines: "qid 0 docid grade", or BEIR's
// "query-id corpus-id score" of three columns. A first line whose last column is no number is a header. Grades are whole
// numbers and may be negative. A document judged twice for a query and a bad line are errors.
func ParseQrels(r io.Reader, name string) ([]rag.Qrel, error) {
	var qrels []rag.Qrel
	type pair struct{ query, doc string }
	seen := map[pair]int{}
	columns := 0
	err := scan(r, name, func(l line) error {
		n := len(l.fields)
		if columns == 0 {
			if n != 3 && n != 4 {
				return fmt.Errorf("want \"qid 0 docid grade\", got %d columns", n)
			}
			columns = n
			if _, err := strconv.ParseFloat(l.fields[n-1], 64); err != nil {
				return nil
			}
		}
		if n != columns {
			return fmt.Errorf("want %d columns as in the first line, got %d", columns, n)
		}
		grade, err := parseGrade(l.fields[n-1])
		if err != nil {
			return err
		}
		p := pair{strings.Clone(l.fields[0]), strings.Clone(l.fields[n-2])}
		if before, dup := seen[p]; dup {
			return fmt.Errorf("document %s is judged twice for query %s, first in line %d", p.doc, p.query, before)
		}
		seen[p] = l.number
		qrels = append(qrels, rag.Qrel{QuestionID: p.query, DocID: p.doc, Grade: grade})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return qrels, nil
}

// parseGrade reads a whole number, also one written as 2.0.
func parseGrade(text string) (int, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<31 {
		return 0, fmt.Errorf("grade %q is not a whole number", text)
	}
	return int(f), nil
}
