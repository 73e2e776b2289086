package index

import (
	"testing"

	"ragbench/internal/vec"
)

// FuzzSearchText holds every analysis to FTS5, whatever the question.
func FuzzSearchText(f *testing.F) {
	for _, q := range append(hostile, scripts...) {
		f.Add(q)
	}
	db := openStore(f)
	set := openSet(f, db)
	indexID := addIndex(f, db, scripts)
	type built struct {
		analysisID, lexicalID int64
		analyzer              *Analyzer
	}
	var all []built
	for _, a := range analyses {
		analysisID, lexical := buildLexical(f, db, indexID, a)
		an, err := NewAnalyzer(a)
		if err != nil {
			f.Fatal(err)
		}
		f.Cleanup(an.Close)
		all = append(all, built{analysisID, lexical["fts5"], an})
	}
	f.Fuzz(func(t *testing.T, q string) {
		for _, b := range all {
			match, err := b.analyzer.Match(q)
			if err != nil {
				t.Fatal(err)
			}
			sameHits(t, q, mustSearch(t, set, b.lexicalID, q), ftsSearch(t, db, b.analysisID, match))
		}
	})
}

// FuzzDecode feeds arbitrary bytes to the readers of what the file holds.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 1, 2, 1}, 2, 9)
	f.Fuzz(func(t *testing.T, data []byte, df, rows int) {
		list, err := decodePostings(data, df, rows)
		for i, p := range list {
			if int(p.row) >= rows || i > 0 && p.row <= list[i-1].row {
				t.Errorf("row %d of %d after %v", p.row, rows, list[:i])
			}
		}
		if err == nil && len(list) != df {
			t.Errorf("got %d entries, want %d", len(list), df)
		}
		ids, lengths, err := decodeRows(nil, nil, data, df)
		if err == nil && (len(ids) != df || len(lengths) != df) {
			t.Errorf("got %d ids and %d lengths, want %d", len(ids), len(lengths), df)
		}
	})
}

// FuzzSearchVector wants an error or what SQL says.
func FuzzSearchVector(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 0}, 3)
	db := openStore(f)
	set := openSet(f, db)
	indexID := addIndex(f, db, scripts)
	info := hashing
	info.Dims = 2
	vectorID, _ := buildVector(f, db, indexID, info, func(s string) []float32 { return []float32{float32(len(s)) - 20, 7} })
	f.Fuzz(func(t *testing.T, vector []byte, k int) {
		got, err := set.SearchVector(vectorID, vector, k)
		if err != nil || k <= 0 {
			return
		}
		query, err := vec.Decode(vector)
		if err != nil {
			t.Fatal(err)
		}
		sameHits(t, "vector", got, sqlSearch(t, db, vectorID, query, k))
	})
}
