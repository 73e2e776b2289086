package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ragbench/internal/rag"
	"ragbench/internal/sqlext"
	"ragbench/internal/store"
	"ragbench/internal/vec"
)

// buildVector embeds the texts of an index that lack a vector, in batches, and makes the vector index.
func buildVector(tb testing.TB, db *store.DB, indexID int64, info rag.EmbedderInfo, embed func(string) []float32) (vectorID int64, stored Stored) {
	tb.Helper()
	var embedderID int64
	write(tb, db, func(ctx context.Context, tx *sql.Tx) (err error) {
		embedderID, err = EnsureEmbedder(ctx, tx, info)
		return err
	})
	var batch []Vector
	flush := func() error {
		return db.Write(context.Background(), func(tx *sql.Tx) error {
			s, err := StoreVectors(context.Background(), tx, embedderID, batch)
			stored.Added, stored.Known = stored.Added+s.Added, stored.Known+s.Known
			stored.Warnings = append(stored.Warnings, s.Warnings...)
			batch = batch[:0]
			return err
		})
	}
	err := db.Read(context.Background(), func(tx *sql.Tx) error {
		return MissingTexts(context.Background(), tx, indexID, embedderID, func(m MissingText) error {
			batch = append(batch, Vector{Key: m.Key, SHA256: m.SHA256, Values: embed(m.Text), Tokens: 1})
			if len(batch) < 100 {
				return nil
			}
			return flush()
		})
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		tb.Fatal(err)
	}
	write(tb, db, func(ctx context.Context, tx *sql.Tx) (err error) {
		vectorID, _, err = BuildVector(ctx, tx, indexID, embedderID)
		return err
	})
	return vectorID, stored
}

// sqlSearch is brute force in SQL.
func sqlSearch(tb testing.TB, db *store.DB, vectorID int64, query []float32, k int) []sqlext.Hit {
	tb.Helper()
	return queryHits(tb, db, `SELECT c.chunk_id, 1 - vec_distance_cosine(e.vector, ?2) AS score
		FROM vector_indexes AS v JOIN chunks AS c ON c.index_id = v.index_id
		JOIN embeddings AS e ON e.embedder_id = v.embedder_id AND e.text_sha256 = c.text_sha256
		WHERE v.vector_id = ?1 ORDER BY vec_distance_cosine(e.vector, ?2), c.chunk_id LIMIT ?3`, vectorID, vec.Encode(query), k)
}

var hashing = rag.EmbedderInfo{Provider: "test", Model: "hash", Dims: hashDims, Normalised: true}

func TestVectorEqualsSQL(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(scale float64) func(string) []float32 {
		return func(text string) []float32 {
			v := make([]float32, 5)
			for i := range v {
				v[i] = float32(rng.NormFloat64() * scale)
			}
			return v
		}
	}
	// Few directions, many lengths: nearly everything ties, and float32 cuts the ties apart.
	coarse := func(text string) []float32 {
		scale := float32(rng.ExpFloat64() + .1)
		return []float32{float32(rng.IntN(3)) * scale, scale, float32(rng.IntN(2)) * scale, 0, 0}
	}
	many := make([]string, 700)
	for i := range many {
		many[i] = fmt.Sprintf("text %d", i%650) // some texts repeat
	}
	embedders := map[string]func(string) []float32{"random": random(1), "long": random(1e6), "short": random(1e-6), "coarse": coarse}
	for name, embed := range embedders {
		for _, n := range []int{1, 2, 9, 10, 300, 700} {
			indexID := addIndex(t, db, many[:n])
			info := rag.EmbedderInfo{Provider: "test", Model: fmt.Sprint(name, n), Dims: 5}
			id, _ := buildVector(t, db, indexID, info, embed)
			for range 20 {
				query := embed("")
				for _, k := range []int{1, 10, n, n + 1} {
					got, err := set.SearchVector(id, vec.Encode(query), k)
					if err != nil {
						t.Fatal(err)
					}
					sameHits(t, fmt.Sprint(name, " n ", n, " k ", k), got, sqlSearch(t, db, id, query, k))
				}
			}
		}
	}
}

func TestStoreVectors(t *testing.T) {
	db := openStore(t)
	indexID := addIndex(t, db, scripts)
	words := func(text string) []float32 { return hashVector(strings.Trim(text, ".")) }
	id, stored := buildVector(t, db, indexID, hashing, words)
	if stored.Added != len(scripts)-2 || len(stored.Warnings) != 1 || !strings.Contains(stored.Warnings[0], "chunk16 has no vector: all values are zero") {
		t.Errorf("got %+v, want %d added and one warning about chunk16", stored, len(scripts)-2)
	}
	again, stored := buildVector(t, db, indexID, hashing, words)
	if again != id || stored.Added != 0 || len(stored.Warnings) != 1 {
		t.Errorf("got index %d, %+v, want %d and nothing new", again, stored, id)
	}
	hits, err := openSet(t, db).SearchVector(id, vec.Encode(hashVector("ferry")), 1000)
	if err != nil || len(hits) != len(scripts)-1 {
		t.Errorf("got %d hits, error %v, want %d: all but the text without words", len(hits), err, len(scripts)-1)
	}
}

func TestStoreVectorsBlocks(t *testing.T) {
	db := openStore(t)
	var embedderID int64
	stored := Stored{}
	next := 0
	for _, n := range []int{1, 255, 1, 600, 3, 0} {
		write(t, db, func(ctx context.Context, tx *sql.Tx) (err error) {
			if embedderID, err = EnsureEmbedder(ctx, tx, rag.EmbedderInfo{Provider: "p", Model: "m", Dims: 2}); err != nil {
				return err
			}
			var batch []Vector
			for range n {
				batch = append(batch, Vector{SHA256: sha256.Sum256(fmt.Append(nil, next)), Values: []float32{1, float32(next)}, Truncated: next == 3})
				next++
			}
			batch = append(batch, batch...) // every text twice: the second is known
			s, err := StoreVectors(ctx, tx, embedderID, batch)
			stored.Added, stored.Known = stored.Added+s.Added, stored.Known+s.Known
			return err
		})
	}
	if stored.Added != 860 || stored.Known != 860 {
		t.Errorf("got %+v, want 860 added, 860 known", stored)
	}
	var blocks, vectors, largest, right int
	err := db.Reader().QueryRow(`SELECT count(*), sum(num_vectors), max(num_vectors) FROM vector_blocks`).Scan(&blocks, &vectors, &largest)
	if err != nil || blocks != 4 || vectors != 860 || largest != vectorsPerBlock(2) {
		t.Errorf("got %d blocks, %d vectors, at most %d (%v), want 4, 860, 256", blocks, vectors, largest, err)
	}
	for i := range 860 {
		sum := sha256.Sum256(fmt.Append(nil, i))
		var n int
		if err := db.Reader().QueryRow(`SELECT count(*) FROM embeddings WHERE embedder_id = ? AND text_sha256 = ? AND vector = ?`,
			embedderID, sum[:], vec.Encode([]float32{1, float32(i)})).Scan(&n); err != nil {
			t.Fatal(err)
		}
		right += n
	}
	if right != 860 {
		t.Errorf("got %d vectors at their text, want 860", right)
	}
}

func TestVectorErrors(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	indexID := addIndex(t, db, []string{"ferry"})
	id, _ := buildVector(t, db, indexID, rag.EmbedderInfo{Provider: "p", Model: "m", Dims: 2}, func(string) []float32 { return []float32{3, 4} })
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	bad := []struct {
		v    []float32
		want string
	}{
		{[]float32{1}, "wrong length: got 1 dimensions, want 2"}, {[]float32{1, 2, 3}, "wrong length"}, {[]float32{nan, 1}, "not a number"},
		{[]float32{1, inf}, "infinite"}, {[]float32{1e30, 1}, "which float32 cannot square"}, {[]float32{1e-30, 0}, "which float32 cannot square"},
	}
	ctx := context.Background()
	for _, tt := range bad {
		err := db.Write(ctx, func(tx *sql.Tx) error {
			_, err := StoreVectors(ctx, tx, 1, []Vector{{Key: "doc::chunk::0001", Values: tt.v}})
			return err
		})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "doc::chunk::0001") {
			t.Errorf("store %v: got error %v, want %q and the chunk", tt.v, err, tt.want)
		}
		if _, err := set.SearchVector(id, vec.Encode(tt.v), 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("search %v: got error %v, want %q", tt.v, err, tt.want)
		}
	}
	if _, err := set.SearchVector(id, vec.Encode([]float32{0, 0}), 1); !errors.Is(err, vec.ErrZero) {
		t.Errorf("search a zero vector: got error %v, want %v", err, vec.ErrZero)
	}
	if _, err := set.SearchVector(99, vec.Encode([]float32{1, 0}), 1); !errors.Is(err, rag.ErrNotFound) {
		t.Errorf("search an unknown index: got error %v, want %v", err, rag.ErrNotFound)
	}
	err := db.Write(ctx, func(tx *sql.Tx) error {
		_, err := StoreVectors(ctx, tx, 99, nil)
		return err
	})
	if !errors.Is(err, rag.ErrNotFound) {
		t.Errorf("store in an unknown space: got error %v, want %v", err, rag.ErrNotFound)
	}
	err = db.Write(ctx, func(tx *sql.Tx) error {
		_, err := EnsureEmbedder(ctx, tx, rag.EmbedderInfo{Provider: "p", Model: "m"})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "0 dimensions") {
		t.Errorf("store an embedder without dims: got error %v, want one about 0 dimensions", err)
	}
}
