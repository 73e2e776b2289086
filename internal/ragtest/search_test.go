package ragtest

import (
	"context"
	"database/sql"
	"testing"

	"ragbench/internal/index"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/sqlext"
	"ragbench/internal/vec"
)

// TestSearches runs the suite over the formulas of lexical search and over the exact vector search.
func TestSearches(t *testing.T) {
	for _, formula := range index.Formulas {
		t.Run(formula.Name, func(t *testing.T) { t.Parallel(); Search(t, lexicalEngine(formula)) })
	}
	t.Run("vector", func(t *testing.T) { t.Parallel(); Search(t, vectorEngine) })
}

func lexicalEngine(formula spec.Entry[index.Formula]) Engine {
	return Engine{
		Name: formula.Name, Lexical: true,
		Build: func(t testing.TB, f *File, _ *Models, indexID int64) (id int64) {
			write(t, f, func(ctx context.Context, tx *sql.Tx) error {
				analysis, err := index.BuildLexical(ctx, tx, indexID, index.Analysis{})
				if err != nil {
					return err
				}
				id, err = index.Lexical(ctx, tx, analysis, formula.Name, formula.New.K1, formula.New.B)
				return err
			})
			return id
		},
		Find: func(t testing.TB, f *File, _ *Models, id int64, question string, k int) []sqlext.Hit {
			return find(t, f, `SELECT chunk_id, score FROM bm25_search(?, ?, ?) ORDER BY rank`, id, question, k)
		},
	}
}

var vectorEngine = Engine{
	Name: "vector",
	Build: func(t testing.TB, f *File, m *Models, indexID int64) (id int64) {
		write(t, f, func(ctx context.Context, tx *sql.Tx) error {
			embedder, err := index.EnsureEmbedder(ctx, tx, m.Embedder.Info())
			if err != nil {
				return err
			}
			var texts []index.MissingText
			if err := index.MissingTexts(ctx, tx, indexID, embedder, func(x index.MissingText) error {
				texts = append(texts, x)
				return nil
			}); err != nil {
				return err
			}
			for _, x := range texts {
				v := index.Vector{Key: x.Key, SHA256: x.SHA256, Values: embed(t, m, x.Text, false), Tokens: 1}
				if _, err := index.StoreVectors(ctx, tx, embedder, []index.Vector{v}); err != nil {
					return err
				}
			}
			id, _, err = index.BuildVector(ctx, tx, indexID, embedder)
			return err
		})
		return id
	},
	Find: func(t testing.TB, f *File, m *Models, id int64, question string, k int) []sqlext.Hit {
		return find(t, f, `SELECT chunk_id, score FROM vector_search(?, ?, ?) ORDER BY rank`, id, vec.Encode(embed(t, m, question, true)), k)
	},
}

// embed returns the vector of one text.
func embed(t testing.TB, m *Models, text string, query bool) []float32 {
	t.Helper()
	reply, err := m.Embedder.Embed(context.Background(), rag.EmbedRequest{Texts: []string{text}, Query: query})
	if err != nil {
		t.Fatal(err)
	}
	return reply.Vectors[0]
}

func write(t testing.TB, f *File, fn func(context.Context, *sql.Tx) error) {
	t.Helper()
	ctx := context.Background()
	if err := f.DB.Write(ctx, func(tx *sql.Tx) error { return fn(ctx, tx) }); err != nil {
		t.Fatal(err)
	}
}

func find(t testing.TB, f *File, query string, args ...any) (hits []sqlext.Hit) {
	t.Helper()
	rows, err := f.DB.Reader().Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var h sqlext.Hit
		if err := rows.Scan(&h.ChunkID, &h.Score); err != nil {
			t.Fatal(err)
		}
		hits = append(hits, h)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return hits
}
