package index

import "ragbench/internal/spec"

// maxK1 bounds k1, so that no score can overflow.
const maxK1 = 1e6

// Formula is one of the BM25 family. A question scores a row by the sum, over the words of the question and repeats included,
// of
//
//	idf * (tf * Factor(k1)) / (tf + k1*(1 - b + b*D/avgdl))
//
// with tf the occurrences of the word in the row, D the length of the row in tokens and avgdl the mean length of all rows,
// empty ones included. The sum is taken in the order of the question, in float64.
type Formula struct {
	// IDF returns the weight of a word that df of the rows hold, df at least 1.
	IDF func(s Stats, df int) float64
	// Factor returns what tf is multiplied with.
	Factor func(k1 float64) float64
	// NeedsMeanIDF says that IDF reads Stats.MeanIDF, which takes a pass over the vocabulary.
	NeedsMeanIDF bool
	// K1 and B are the customary parameters.
	K1, B float64
}

// Stats is what a weight depends on beside its word.
type Stats struct {
	Rows    int     // all rows, empty ones included
	MeanIDF float64 // mean over the vocabulary of ln((N-df+.5)/(df+.5)), negative values included
}

// Formulas lists the scoring formulas. Only rows that share a word with the question are hits, whatever the formula.
var Formulas = spec.Table[Formula]{fts5, okapi, lucene}

// documented lists the parameters that all formulas have.
func documented(k1 string) []spec.Option {
	return []spec.Option{
		{Name: "retrieval.k1", Default: k1, Doc: "How slowly repeats of a word stop counting; 0 counts presence alone."},
		{Name: "retrieval.b", Default: "0.75", Doc: "How much long rows are held back; 0 not at all, 1 in full proportion."},
	}
}
