package sqlext_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"ragbench/internal/sqlext"
)

// TestConcurrent runs the fusion statement from 8 goroutines over one pool of read-only connections, one statement
// prepared once, some readers leaving early.
func TestConcurrent(t *testing.T) {
	setup, f := open(t, "?_journal_mode=WAL")
	var path string
	if err := setup.QueryRow(`SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&path); err != nil {
		t.Fatal(err)
	}
	db := openFile(t, path, "?mode=ro&_query_only=1")
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	stmt, err := db.Prepare(fusion)
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	const goroutines, each = 8, 200
	before := f.calls.Load()
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() {
			for i := range each {
				if err := readFused(stmt.Query, (g+i)%10 == 0); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	if got, want := f.calls.Load()-before, int64(2*goroutines*each); got != want {
		t.Errorf("got %d searches, want %d", got, want)
	}
	if n := db.Stats().InUse; n != 0 {
		t.Errorf("got %d connections in use, want 0", n)
	}
}

// readFused reads the three rows of the fusion statement, or only the first.
func readFused(query func(args ...any) (*sql.Rows, error), early bool) error {
	r, err := query()
	if err != nil {
		return err
	}
	defer r.Close()
	var got []string
	for r.Next() {
		var chunk int64
		var score float64
		if err := r.Scan(&chunk, &score); err != nil {
			return err
		}
		got = append(got, fmt.Sprint(chunk))
		if early {
			return nil
		}
	}
	if s := strings.Join(got, " "); s != "2 1 4" {
		return fmt.Errorf("got chunks %s, want 2 1 4", s)
	}
	return r.Err()
}

// signal closes a channel at its second search.
type signal struct {
	single
	calls  atomic.Int64
	second chan struct{}
}

func (s *signal) SearchText(index int64, query string, k int) ([]sqlext.Hit, error) {
	if s.calls.Add(1) == 2 {
		close(s.second)
	}
	return s.single.SearchText(index, query, k)
}

// TestCancel cancels a statement that searches for ever: only the cancellation can end it.
func TestCancel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.db")
	s := &signal{single: 4, second: make(chan struct{})}
	defer sqlext.Attach(path, s)()
	db := openFile(t, path, "")
	db.SetMaxOpenConns(1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error)
	go func() {
		var n int
		done <- db.QueryRowContext(ctx, `
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
			SELECT count(*) FROM n, bm25_search(n.i, 'a', 1)`).Scan(&n)
	}()
	<-s.second
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	if got := found(db); got != "4" {
		t.Errorf("next statement: got %s, want 4", got)
	}
}

// TestDetachWaits detaches while a search runs: detach returns after it, and the search still succeeds.
func TestDetachWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.db")
	b := &blocking{entered: make(chan struct{}), release: make(chan struct{})}
	detach := sqlext.Attach(path, b)
	db := openFile(t, path, "")
	result := make(chan string)
	go func() { result <- found(db) }()
	<-b.entered
	var detached sync.WaitGroup
	detached.Go(func() {
		detach()
		if !b.left.Load() {
			t.Error("detach returned while the search was running")
		}
	})
	close(b.release)
	detached.Wait()
	if got := <-result; got != "9" {
		t.Errorf("got %s, want 9", got)
	}
}

// blocking holds its search until it is released.
type blocking struct {
	single
	entered, release chan struct{}
	left             atomic.Bool
}

func (b *blocking) SearchText(int64, string, int) ([]sqlext.Hit, error) {
	close(b.entered)
	<-b.release
	b.left.Store(true)
	return []sqlext.Hit{{ChunkID: 9, Score: 1}}, nil
}
