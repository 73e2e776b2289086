package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"ragbench/internal/rag"
	"ragbench/internal/store"
	"ragbench/internal/vec"
)

func TestSearchFromSQL(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	indexID := addIndex(t, db, scripts)
	_, lexical := buildLexical(t, db, indexID, Analysis{})
	vectorID, _ := buildVector(t, db, indexID, hashing, hashVector)
	query := vec.Encode(hashVector("ferry crew"))
	want, err := set.SearchVector(vectorID, query, 7)
	if err != nil {
		t.Fatal(err)
	}
	sameHits(t, "vector_search", queryHits(t, db, `SELECT chunk_id, score FROM vector_search(?, ?, 7)`, vectorID, query), want)
	sameHits(t, "bm25_search", queryHits(t, db, `SELECT chunk_id, score FROM bm25_search(?, 'ferry crew', 100)`, lexical["fts5"]),
		mustSearch(t, set, lexical["fts5"], "ferry crew"))

	var n int
	err = db.Reader().QueryRow(`SELECT count(*) FROM bm25_search(?, 'ferry', 5)`, 77).Scan(&n)
	if err == nil || !strings.Contains(err.Error(), "lexical index 77: not found") {
		t.Errorf("got error %v, want one about index 77", err)
	}
	// With one connection in the pool, a searcher that used the pool would wait for ever.
	small, err := store.Open(context.Background(), db.Path(), store.Options{ReadOnly: true, Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer small.Close()
	set.Forget()
	if got := queryHits(t, small, `SELECT chunk_id, score FROM bm25_search(?, 'ferry', 5)`, lexical["fts5"]); len(got) != 4 {
		t.Errorf("got %d hits with one connection, want 4", len(got))
	}
}

// TestSetSeesNewBuilds searches with one set before and after other indexes are built and committed.
func TestSetSeesNewBuilds(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	for i := range 3 {
		next := int64(3*i + 1)
		if _, err := set.SearchText(next, "ferry", 1); !errors.Is(err, rag.ErrNotFound) {
			t.Errorf("lexical index %d before it is built: got error %v, want not found", next, err)
		}
		indexID := addIndex(t, db, scripts[:i+1])
		_, lexical := buildLexical(t, db, indexID, Analysis{})
		if hits := mustSearch(t, set, lexical["fts5"], "ferry"); lexical["fts5"] != next || len(hits) != 1 {
			t.Errorf("lexical index %d: got %d hits under id %d, want 1", next, len(hits), lexical["fts5"])
		}
	}
}

func TestReopened(t *testing.T) {
	db := openStore(t)
	indexID := addIndex(t, db, scripts)
	analysisID, lexical := buildLexical(t, db, indexID, Analysis{Tokenizer: "porter"})
	vectorID, _ := buildVector(t, db, indexID, hashing, hashVector)
	path := db.Path()
	want := ftsSearch(t, db, analysisID, "ferry OR crew")
	query := hashVector("ferry crew")
	wantVector := sqlSearch(t, db, vectorID, query, 5)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(context.Background(), path, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	set := openSet(t, again)
	sameHits(t, "reopened", mustSearch(t, set, lexical["fts5"], "ferry crew"), want)
	got, err := set.SearchVector(vectorID, vec.Encode(query), 5)
	if err != nil {
		t.Fatal(err)
	}
	sameHits(t, "reopened", got, wantVector)
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := set.SearchText(lexical["fts5"], "ferry", 1); err == nil {
		t.Error("got no error from a closed set")
	}
}

// TestConcurrent starts eight goroutines on an empty set, from SQL and from Go, while it is told to forget.
func TestConcurrent(t *testing.T) {
	db := openStore(t)
	set := openSet(t, db)
	indexID := addIndex(t, db, scripts)
	analysisID, lexical := buildLexical(t, db, indexID, Analysis{})
	vectorID, _ := buildVector(t, db, indexID, hashing, hashVector)
	query := vec.Encode(hashVector("ferry"))
	want := fmt.Sprint(ftsSearch(t, db, analysisID, "ferry OR crew"), sqlSearch(t, db, vectorID, hashVector("ferry"), 9))
	var running sync.WaitGroup
	errs := make(chan error, 8)
	for worker := range 8 {
		running.Go(func() {
			for i := range 200 {
				if worker == 0 && i%20 == 0 {
					set.Forget()
				}
				text, err := set.SearchText(lexical["fts5"], "ferry crew", 100)
				if worker%2 == 0 {
					text = queryHits(t, db, `SELECT chunk_id, score FROM bm25_search(?, 'ferry crew', 100)`, lexical["fts5"])
				}
				near, err2 := set.SearchVector(vectorID, query, 9)
				if got := fmt.Sprint(text, near); got != want || err != nil || err2 != nil {
					errs <- fmt.Errorf("got %s, errors %v, %v, want %s", got, err, err2, want)
					return
				}
			}
		})
	}
	running.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

func TestLoadsShareAndForgetErrors(t *testing.T) {
	var l loads[int]
	var calls int
	gate := make(chan struct{})
	read := func(int64) (int, error) {
		calls++
		<-gate
		return calls, nil
	}
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			if v, err := l.get(1, read); v != 1 || err != nil {
				t.Errorf("got %d, %v, want 1", v, err)
			}
		})
	}
	close(gate)
	running.Wait()
	if calls != 1 {
		t.Errorf("got %d loads, want 1", calls)
	}
	fail := true
	flaky := func(int64) (int, error) {
		if fail {
			return 0, errInterrupted
		}
		return 7, nil
	}
	if _, err := l.get(2, flaky); err == nil {
		t.Error("got no error from a load that fails")
	}
	fail = false
	if v, err := l.get(2, flaky); v != 7 || err != nil {
		t.Errorf("got %d, %v after a failed load, want 7", v, err)
	}
	func() {
		defer func() { _ = recover() }()
		l.get(3, func(int64) (int, error) { panic("broken") })
	}()
	if v, err := l.get(3, flaky); v != 7 || err != nil {
		t.Errorf("got %d, %v after a panic, want 7", v, err)
	}
}

// TestDamagedPostings changes stored bytes: a search must fail in words.
func TestDamagedPostings(t *testing.T) {
	db := openStore(t)
	indexID := addIndex(t, db, scripts)
	_, lexical := buildLexical(t, db, indexID, Analysis{})
	for _, data := range [][]byte{{}, {0}, {0x80, 0x80}, {0, 1, 0, 1, 1, 1, 1, 1}, {0xff, 0xff, 0xff, 0xff, 0x0f, 1, 1, 1}} {
		write(t, db, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE postings SET data = ? WHERE term = CAST('ferry' AS BLOB)`, data)
			return err
		})
		set := openSet(t, db)
		if _, err := set.SearchText(lexical["fts5"], "ferry", 1); !errors.Is(err, errPostings) {
			t.Errorf("postings %v: got error %v, want %v", data, err, errPostings)
		}
		set.Close()
	}
}
