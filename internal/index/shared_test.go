package index

import (
	"testing"

	"ragbench/internal/vec"
)

// TestSharedSets compares every question of real sets with brute force in SQL: ids, order and score bits.
func TestSharedSets(t *testing.T) {
	for _, name := range []string{"cranfield", "scifact", "xquad-zh"} {
		t.Run(name, func(t *testing.T) {
			documents, questions := sharedSet(t, name)
			if testing.Short() {
				questions = questions[:min(len(questions), 20)]
			}
			db := openStore(t)
			set := openSet(t, db)
			indexID := addIndex(t, db, documents)
			for _, a := range []Analysis{{}, {Tokenizer: "porter", StopWords: "english"}} {
				analysisID, lexical := buildLexical(t, db, indexID, a)
				an, err := NewAnalyzer(a)
				if err != nil {
					t.Fatal(err)
				}
				defer an.Close()
				for _, q := range questions {
					match, err := an.Match(q)
					if err != nil {
						t.Fatal(err)
					}
					got := mustSearch(t, set, lexical["fts5"], q)
					sameHits(t, a.Tokenizer+": "+q, got, ftsSearch(t, db, analysisID, match))
					best, err := set.SearchText(lexical["fts5"], q, 100)
					if err != nil {
						t.Fatal(err)
					}
					sameHits(t, "first 100: "+q, best, got[:min(100, len(got))])
				}
			}
			vectorID, _ := buildVector(t, db, indexID, hashing, hashVector)
			for _, q := range questions {
				query := hashVector(q)
				want := sqlSearch(t, db, vectorID, query, 100)
				for _, k := range []int{10, 100} {
					got, err := set.SearchVector(vectorID, vec.Encode(query), k)
					if err != nil {
						t.Fatal(err)
					}
					sameHits(t, "vector: "+q, got, want[:min(k, len(want))])
				}
			}
		})
	}
}
