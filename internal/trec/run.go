package trec

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Run is a run file: one ranking a query.
type Run struct {
	Name    string    // of the file, for messages
	Tag     string    // run tag of the last line, as trec_eval reports it
	Queries []Ranking // in the order of their first lines
}

// Ranking is the ranked list of one query, best first.
type Ranking struct {
	QueryID string
	Docs    []Doc // distinct; score descending, then id descending bytewise
}

// Doc is one document of a ranking.
type Doc struct {
	ID    string
	Score float64 // finite
	Line  int     // where it stands in the file, from 1
}

// ReadRun reads the run file at path, which may be gzipped.
func ReadRun(path string) (*Run, error) { return read(path, ParseRun) }

// ParseRun reads a run file called name in messages. Columns are separated by spaces or tabs; what follows the tag is
// ignored, as is a first line whose rank and score are both no numbers (a header). Any other line that is not
// "qid Q0 docid rank score tag" and a document that comes twice for a query are errors.
func ParseRun(r io.Reader, name string) (*Run, error) {
	run := &Run{Name: name}
	at := map[string]int{}              // query id to index
	seen := map[string]map[string]int{} // query id to document id to line
	first := true
	err := scan(r, name, func(l line) error {
		header := first && isHeader(l.fields)
		first = false
		if header {
			return nil
		}
		if len(l.fields) < 6 {
			return fmt.Errorf("want \"qid Q0 docid rank score tag\", got %d columns", len(l.fields))
		}
		qid, doc := strings.Clone(l.fields[0]), strings.Clone(l.fields[2])
		score, err := parseScore(l.fields[4])
		if err != nil {
			return err
		}
		i, ok := at[qid]
		if !ok {
			i = len(run.Queries)
			at[qid], seen[qid] = i, map[string]int{}
			run.Queries = append(run.Queries, Ranking{QueryID: qid})
		}
		if before, dup := seen[qid][doc]; dup {
			return fmt.Errorf("document %s comes twice for query %s, first in line %d", doc, qid, before)
		}
		seen[qid][doc] = l.number
		run.Queries[i].Docs = append(run.Queries[i].Docs, Doc{ID: doc, Score: score, Line: l.number})
		run.Tag = strings.Clone(l.fields[5])
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(run.Queries) == 0 {
		return nil, fmt.Errorf("%s: no ranking in the file", name)
	}
	for _, q := range run.Queries {
		slices.SortFunc(q.Docs, byScore)
	}
	return run, nil
}

// byScore is trec_eval's order.
func byScore(a, b Doc) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(b.ID, a.ID))
}

// isHeader reports whether the fields are column names: both number columns hold words.
func isHeader(fields []string) bool {
	if len(fields) < 5 {
		return false
	}
	_, rank := strconv.ParseFloat(fields[3], 64)
	_, score := strconv.ParseFloat(fields[4], 64)
	return rank != nil && score != nil
}

func parseScore(text string) (float64, error) {
	score, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("score %q is not a number", text)
	}
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return 0, fmt.Errorf("score %q is not finite", text)
	}
	return score, nil
}
