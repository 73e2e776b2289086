package sqlext_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/sqlext"
)

// single returns one chunk id for every search, which tells searchers apart.
type single int64

func (s single) SearchText(int64, string, int) ([]sqlext.Hit, error) {
	return []sqlext.Hit{{ChunkID: int64(s), Score: 1}}, nil
}

func (s single) SearchVector(int64, []byte, int) ([]sqlext.Hit, error) {
	return []sqlext.Hit{{ChunkID: int64(s), Score: 1}}, nil
}

// found is the chunk id, or the error, that a search on db ends with.
func found(db querier) string {
	got, err := rows(db, `SELECT chunk_id FROM bm25_search(1, 'a')`)
	if err != nil {
		return err.Error()
	}
	return strings.Join(got, " ")
}

func TestAttachTwoFiles(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.db"), filepath.Join(dir, "b ä.db")
	defer sqlext.Attach(a, single(11))()
	detach := sqlext.Attach(b, single(22))
	dbA, dbB := openFile(t, a, ""), openFile(t, b, "")

	if got := found(dbA); got != "11" {
		t.Errorf("first file: got %s, want 11", got)
	}
	if got := found(dbB); got != "22" {
		t.Errorf("second file: got %s, want 22", got)
	}
	inner := sqlext.Attach(b, single(33))
	if got := found(dbB); got != "33" {
		t.Errorf("second searcher of a file: got %s, want 33", got)
	}
	detach()
	detach()
	if got := found(dbB); got != "33" {
		t.Errorf("older searcher detached: got %s, want 33", got)
	}
	inner()
	if got := found(dbB); !strings.Contains(got, "no searcher is attached to "+b) {
		t.Errorf("all detached: got %s, want an error that names the file", got)
	}
	if got := found(dbA); got != "11" {
		t.Errorf("first file: got %s, want 11", got)
	}
}

// TestAttachNames reaches one file under the names that a user may type.
func TestAttachNames(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(real, "x.db")
	if err := os.Symlink(real, filepath.Join(dir, "link")); err != nil {
		t.Skipf("symbolic links: %v", err)
	}
	early := sqlext.Attach(filepath.Join(dir, "link", "x.db"), single(1))
	db := openFile(t, file, "")
	exec(t, db, `CREATE TABLE t(a)`)
	if got := found(db); got != "1" {
		t.Errorf("attached before the file exists: got %s, want 1", got)
	}
	early()

	if err := os.Symlink(file, filepath.Join(dir, "y.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(file, filepath.Join(dir, "hard.db")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	names := []string{file, "real/x.db", "./real/../real//x.db", "link/x.db", "y.db", "hard.db"}
	for _, name := range names {
		detach := sqlext.Attach(name, single(2))
		for _, opened := range names {
			db := openFile(t, opened, "?mode=ro")
			if got := found(db); got != "2" {
				t.Errorf("attached as %s, opened as %s: got %s, want 2", name, opened, got)
			}
			db.Close()
		}
		detach()
	}
	if got := found(db); !strings.Contains(got, "no searcher is attached to "+file) {
		t.Errorf("all detached: got %s, want an error that names the file", got)
	}
}

func TestInMemory(t *testing.T) {
	db := openFile(t, ":memory:", "")
	if got := found(db); !strings.Contains(got, "an in-memory database has no searcher") {
		t.Errorf("got %s, want an error that says why", got)
	}
}

// TestReopened closes the file and opens it again while the searcher stays.
func TestReopened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.db")
	defer sqlext.Attach(path, single(5))()
	for range 3 {
		db := openFile(t, path, "?_journal_mode=WAL")
		exec(t, db, `CREATE TABLE IF NOT EXISTS t(a)`)
		if got := found(db); got != "5" {
			t.Errorf("got %s, want 5", got)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestView reads the functions through a view on a connection that trusts no schema.
func TestView(t *testing.T) {
	db, _ := open(t, "")
	db.SetMaxOpenConns(1)
	exec(t, db, `CREATE VIEW best AS SELECT v.id, s.chunk_id FROM variants v, bm25_search(1, v.text, 1) s`)
	exec(t, db, `PRAGMA trusted_schema = OFF`)
	got, err := rows(db, `SELECT * FROM best ORDER BY id`)
	if err != nil || strings.Join(got, "; ") != "1 1; 2 1" {
		t.Errorf("got %v and error %v, want rows 1 1; 2 1", got, err)
	}
}
