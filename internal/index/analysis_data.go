package index

import (
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"ragbench/internal/rag"
)

// postingsBudget bounds the decoded postings kept of one analysis, in bytes. Past it, some are dropped and read again when
// asked for.
const postingsBudget = 256 << 20

// analysisData is an analysis in memory: the rows, and the postings of the words that were asked for.
type analysisData struct {
	id       int64
	analyzer *Analyzer
	chunkIDs []int64 // by row, ascending
	lengths  []uint32
	avgdl    float64
	pool     sync.Pool // of *scratch

	mu    sync.RWMutex
	lists map[string][]posting // an empty list for a word that no row holds
	bytes int
}

// loadAnalysis reads the rows of an analysis.
func (s *Set) loadAnalysis(id int64) (*analysisData, error) {
	var tokenizer, stopWords string
	var rows, tokens, terms int64
	if err := s.one("analysis", []any{id}, &tokenizer, &stopWords, &rows, &tokens, &terms); err != nil {
		return nil, err
	}
	a, err := storedAnalysis(tokenizer, stopWords)
	if err != nil {
		return nil, err
	}
	d := &analysisData{id: id, lists: map[string][]posting{}, chunkIDs: make([]int64, 0, rows), lengths: make([]uint32, 0, rows)}
	err = s.many("rows", []any{id}, func(r *sql.Rows) error {
		var n int
		var data sql.RawBytes
		if err := r.Scan(&n, &data); err != nil {
			return err
		}
		d.chunkIDs, d.lengths, err = decodeRows(d.chunkIDs, d.lengths, data, n)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	total := int64(0)
	for _, n := range d.lengths {
		total += int64(n)
	}
	if int64(len(d.chunkIDs)) != rows || total != tokens {
		return nil, fmt.Errorf("read rows: %d rows of %d tokens, want %d of %d", len(d.chunkIDs), total, rows, tokens)
	}
	d.avgdl = float64(tokens) / float64(rows)
	d.pool.New = func() any { return newScratch(len(d.chunkIDs)) }
	if d.analyzer, err = NewAnalyzer(a); err != nil {
		return nil, err
	}
	runtime.AddCleanup(d, func(a *Analyzer) { a.Close() }, d.analyzer) // a search may outlive Forget
	return d, nil
}

// postings returns the postings of a term, none when no row holds it.
func (d *analysisData) postings(s *Set, term string) ([]posting, error) {
	d.mu.RLock()
	list, found := d.lists[term]
	d.mu.RUnlock()
	if found {
		return list, nil
	}
	var df int
	var data []byte
	err := s.one("term", []any{d.id, []byte(term)}, &df, &data)
	if err == nil {
		list, err = decodePostings(data, df, len(d.chunkIDs))
	}
	if err != nil && !errors.Is(err, rag.ErrNotFound) {
		return nil, fmt.Errorf("read postings of %q: %w", term, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keep(term, list)
	return list, nil
}

// keep remembers a list, and drops others, whichever come first, while there are too many. mu must be locked.
func (d *analysisData) keep(term string, list []posting) {
	if _, found := d.lists[term]; found {
		return
	}
	d.lists[term] = list
	d.bytes += listBytes(term, list)
	for other, l := range d.lists {
		if d.bytes <= postingsBudget {
			return
		}
		if other != term {
			delete(d.lists, other)
			d.bytes -= listBytes(other, l)
		}
	}
}

// listBytes is about what a list takes in memory.
func listBytes(term string, list []posting) int {
	return 64 + len(term) + 8*len(list)
}

// meanIDF is the mean over the vocabulary of the weights before any floor.
func (s *Set) meanIDF(d *analysisData) (float64, error) {
	sum, terms := 0.0, 0
	err := s.many("document_frequencies", []any{d.id}, func(r *sql.Rows) error {
		var df, n int
		if err := r.Scan(&df, &n); err != nil {
			return err
		}
		sum += float64(n) * rawIDF(len(d.chunkIDs), df)
		terms += n
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("read document frequencies: %w", err)
	}
	return sum / float64(max(terms, 1)), nil
}
