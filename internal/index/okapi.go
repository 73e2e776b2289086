package index

import "ragbench/internal/spec"

// okapiEpsilon is the share of the mean idf that a word in more than half of the rows gets, as rank_bm25 sets it.
const okapiEpsilon = 0.25

var okapi = spec.Entry[Formula]{
	Name:  "okapi",
	Title: "As BM25Okapi of rank_bm25",
	Doc: "idf = ln(N-df+.5) - ln(df+.5); where that is below 0, a quarter of the mean idf of the vocabulary, which in a tiny " +
		"corpus may be below 0 itself. A word in exactly half of the rows weighs 0. rank_bm25 also ranks rows that share no word " +
		"with the question; here they are no hits.",
	Cite:    "D. Brown, rank_bm25 (BM25Okapi); A. Trotman et al., Improvements to BM25 and Language Models Examined, 2014",
	Options: documented("1.5"),
	New: Formula{
		IDF: func(s Stats, df int) float64 {
			idf := rawIDF(s.Rows, df)
			if idf < 0 {
				return okapiEpsilon * s.MeanIDF
			}
			return idf
		},
		Factor:       func(k1 float64) float64 { return k1 + 1 },
		NeedsMeanIDF: true,
		K1:           1.5,
		B:            0.75,
	},
}

// rawIDF is the weight of Robertson and Spärck Jones, below 0 for a word in more than half of the rows.
func rawIDF(rows, df int) float64 {
	return ln(float64(rows-df)+0.5) - ln(float64(df)+0.5)
}
