package index

import "ragbench/internal/spec"

var lucene = spec.Entry[Formula]{
	Name:  "lucene",
	Title: "As Lucene's BM25Similarity",
	Doc: "idf = ln(1+(N-df+.5)/(df+.5)), always above 0, and no factor (k1+1). Lengths are exact: Lucene keeps them in one byte " +
		"with loss and sums in float32, which is not simulated, and its N and mean length leave out rows without words.",
	Cite:    "Apache Lucene, BM25Similarity; C. Kamphuis et al., Which BM25 Do You Mean?, ECIR 2020",
	Options: documented("1.2"),
	New: Formula{
		IDF: func(s Stats, df int) float64 {
			return ln(1 + (float64(s.Rows-df)+0.5)/(float64(df)+0.5))
		},
		Factor: func(float64) float64 { return 1 },
		K1:     1.2,
		B:      0.75,
	},
}
