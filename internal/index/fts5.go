package index

import "ragbench/internal/spec"

// fts5 repeats the operations of SQLite's bm25() one by one (ext/fts5/fts5_aux.c), so that the scores have the same bits.
var fts5 = spec.Entry[Formula]{
	Name:  "fts5",
	Title: "As FTS5's bm25()",
	Doc: "idf = ln((N-df+.5)/(df+.5)), or 1e-6 where that is not above 0: a word in half of the rows or more hardly counts. " +
		"The score is -bm25(fts_N) of SQLite when k1 and b are the defaults, which FTS5 has built in.",
	Cite:    "https://www.sqlite.org/fts5.html#the_bm25_function; S. Robertson and H. Zaragoza, The Probabilistic Relevance Framework, 2009",
	Options: documented("1.2"),
	New: Formula{
		IDF: func(s Stats, df int) float64 {
			idf := ln((float64(s.Rows-df) + 0.5) / (float64(df) + 0.5))
			if idf <= 0 {
				return 1e-6
			}
			return idf
		},
		Factor: func(k1 float64) float64 { return k1 + 1 },
		K1:     1.2,
		B:      0.75,
	},
}
