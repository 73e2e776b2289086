package index

import (
	"math/bits"

	"ragbench/internal/sqlext"
)

// lexicalIndex is an analysis with a formula.
type lexicalIndex struct {
	data    *analysisData
	formula Formula
	stats   Stats
	factor  float64
	norms   []float64 // by row: k1*(1-b+b*D/avgdl)
}

func (s *Set) loadLexical(id int64) (*lexicalIndex, error) {
	var analysisID int64
	var name string
	var k1, b float64
	if err := s.one("lexical", []any{id}, &analysisID, &name, &k1, &b); err != nil {
		return nil, err
	}
	entry, err := Formulas.Find("formula", name)
	if err != nil {
		return nil, err
	}
	data, err := s.analyses.get(analysisID, s.loadAnalysis)
	if err != nil {
		return nil, err
	}
	lex := &lexicalIndex{data: data, formula: entry.New, stats: Stats{Rows: len(data.chunkIDs)}, factor: entry.New.Factor(k1)}
	if lex.formula.NeedsMeanIDF {
		if lex.stats.MeanIDF, err = s.meanIDF(data); err != nil {
			return nil, err
		}
	}
	lex.norms = make([]float64, len(data.lengths))
	for row, length := range data.lengths {
		if data.avgdl > 0 { // no list is ever read otherwise
			lex.norms[row] = k1 * (1 - b + b*float64(length)/data.avgdl)
		}
	}
	return lex, nil
}

// scratch is the memory of one search. Between searches it is all zero.
type scratch struct {
	scores []float64
	seen   []uint64 // a bit a row: it shares a word with the question
}

func newScratch(rows int) *scratch {
	return &scratch{make([]float64, rows), make([]uint64, (rows+63)/64)}
}

// search scores term by term in the order of the question, as FTS5 does, so that the sums round alike.
func (lex *lexicalIndex) search(s *Set, question string, k int) ([]sqlext.Hit, error) {
	if k <= 0 {
		return nil, nil
	}
	terms, err := lex.data.analyzer.Terms(question)
	if err != nil {
		return nil, err
	}
	lists := make([][]posting, 0, len(terms))
	for _, term := range terms {
		list, err := lex.data.postings(s, term)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			lists = append(lists, list)
		}
	}
	if len(lists) == 0 {
		return nil, nil
	}
	mem := lex.data.pool.Get().(*scratch)
	for _, list := range lists {
		lex.add(mem, list)
	}
	hits := lex.take(mem, k)
	lex.data.pool.Put(mem)
	return hits, nil
}

// add adds the share of one word to the rows that hold it.
func (lex *lexicalIndex) add(mem *scratch, list []posting) {
	idf := lex.formula.IDF(lex.stats, len(list))
	factor, norms, scores, seen := lex.factor, lex.norms, mem.scores, mem.seen
	for _, p := range list {
		tf := float64(p.count)
		// The conversion keeps the compiler from fusing product and sum, which rounds differently.
		scores[p.row] += float64(idf * ((tf * factor) / (tf + norms[p.row])))
		seen[p.row/64] |= 1 << (p.row % 64)
	}
}

// take returns the k best rows seen and clears the memory.
func (lex *lexicalIndex) take(mem *scratch, k int) []sqlext.Hit {
	best := top{k: min(k, len(mem.scores))}
	for i, word := range mem.seen {
		if word == 0 {
			continue
		}
		mem.seen[i] = 0
		for ; word != 0; word &= word - 1 {
			row := 64*i + bits.TrailingZeros64(word)
			best.add(sqlext.Hit{ChunkID: lex.data.chunkIDs[row], Score: mem.scores[row]})
			mem.scores[row] = 0
		}
	}
	return best.ranked()
}
