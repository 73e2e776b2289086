package index

import (
	"context"
	"database/sql"
	"math"
	"testing"
)

// TestFormulas compares with values worked out by hand from the definitions, for three rows of 3, 2 and 1 tokens:
// N = 3, mean length 2; ferry is in 3 rows, crew in 2, quay in 1.
func TestFormulas(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	indexID := addIndex(t, db, []string{"ferry ferry quay", "ferry crew", "ferry"})
	indexID2 := addIndex(t, db, []string{"ferry crew quay", "ferry crew", "ferry", ""})
	analysisID, _ := buildLexical(t, db, indexID, Analysis{})
	analysisID2, _ := buildLexical(t, db, indexID2, Analysis{})

	log := math.Log
	// okapi: raw weights of ferry, quay, crew in the first index; ferry is below 0 and gets a quarter of the mean.
	raw := func(n, df float64) float64 { return log(n-df+.5) - log(df+.5) }
	floor := .25 * (raw(3, 3) + raw(3, 1) + raw(3, 1)) / 3
	tests := []struct {
		name     string
		analysis int64
		formula  string
		k1, b    float64
		question string
		want     []float64 // best first
	}{
		{"idf below 0 becomes 1e-6", analysisID, "fts5", 1.2, .75, "ferry",
			[]float64{1e-6 * 2.2 / (1 + 1.2*(.25+.75*1/2)), 1e-6 * 2 * 2.2 / (2 + 1.2*(.25+.75*3/2)), 1e-6 * 2.2 / (1 + 1.2)}},
		{"one row", analysisID, "fts5", 1.2, .75, "quay", []float64{log(2.5/1.5) * 2.2 / (1 + 1.2*(.25+.75*3/2))}},
		{"a repeated word counts twice", analysisID, "fts5", 1.2, .75, "quay quay", []float64{2 * log(2.5/1.5) * 2.2 / (1 + 1.2*(.25+.75*3/2))}},
		{"other parameters", analysisID, "fts5", .9, .4, "quay", []float64{log(2.5/1.5) * 1.9 / (1 + .9*(.6+.4*3/2))}},
		{"k1 0 counts presence", analysisID, "lucene", 0, .75, "crew", []float64{log(1 + 2.5/1.5)}},
		{"b 0 ignores length", analysisID, "lucene", 1.2, 0, "quay", []float64{log(1+2.5/1.5) / 2.2}},
		{"no factor", analysisID, "lucene", 1.2, .75, "crew", []float64{log(1+2.5/1.5) / (1 + 1.2)}},
		{"a common word still counts", analysisID, "lucene", 1.2, .75, "ferry",
			[]float64{log(1+.5/3.5) / (1 + 1.2*(.25+.75*1/2)), log(1+.5/3.5) * 2 / (2 + 1.2*(.25+.75*3/2)), log(1+.5/3.5) / 2.2}},
		{"floor of okapi below 0, worst first becomes last", analysisID, "okapi", 1.5, .75, "ferry",
			[]float64{floor * 2.5 / (1 + 1.5), floor * 2 * 2.5 / (2 + 1.5*(.25+.75*3/2)), floor * 2.5 / (1 + 1.5*(.25+.75*1/2))}},
		{"a weight of exactly 0 is a hit", analysisID2, "okapi", 1.5, .75, "crew", []float64{0, 0}},
		{"an empty row counts in N and in the mean", analysisID2, "fts5", 1.2, .75, "quay", []float64{log(3.5/1.5) * 2.2 / (1 + 1.2*(.25+.75*3/1.5))}},
	}
	for _, tt := range tests {
		var id int64
		write(t, db, func(ctx context.Context, tx *sql.Tx) (err error) {
			id, err = Lexical(ctx, tx, tt.analysis, tt.formula, tt.k1, tt.b)
			return err
		})
		hits := mustSearch(t, set, id, tt.question)
		if len(hits) != len(tt.want) {
			t.Errorf("%s: got %d hits, want %d", tt.name, len(hits), len(tt.want))
			continue
		}
		for i, h := range hits {
			if math.Abs(h.Score-tt.want[i]) > 1e-12 {
				t.Errorf("%s: hit %d: got %v, want %v", tt.name, i+1, h.Score, tt.want[i])
			}
		}
		for i := 1; i < len(hits); i++ {
			if compareHits(hits[i-1], hits[i]) >= 0 {
				t.Errorf("%s: hits %d and %d are out of order: got %+v", tt.name, i, i+1, hits)
			}
		}
	}
}

func TestFormulasAreDocumented(t *testing.T) {
	for _, f := range Formulas {
		if f.Title == "" || f.Doc == "" || f.Cite == "" || len(f.Options) != 2 {
			t.Errorf("got %+v, want title, doc, source and two options", f)
		}
		if f.New.IDF == nil || f.New.Factor == nil || f.New.B != 0.75 {
			t.Errorf("%s: got functions or b missing", f.Name)
		}
	}
}
