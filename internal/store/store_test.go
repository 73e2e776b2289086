package store

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/rag"
)

// open makes a file in a folder of its own, under a name that holds what a URI would take for syntax.
func open(t *testing.T) *DB {
	t.Helper()
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "a b#c?d%20ü+.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestOpenSettings(t *testing.T) {
	db := open(t)
	for _, tt := range []struct {
		pool *sql.DB
		name string
		want string
	}{
		{db.writer, "journal_mode", "wal"},
		{db.writer, "foreign_keys", "1"},
		{db.writer, "page_size", "16384"},
		{db.writer, "application_id", "1380077123"},
		{db.reader, "foreign_keys", "1"},
		{db.reader, "query_only", "1"},
		{db.reader, "trusted_schema", "0"},
	} {
		var got string
		if err := tt.pool.QueryRow("PRAGMA " + tt.name).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	if _, err := db.reader.Exec("DELETE FROM documents"); err == nil {
		t.Error("the read pool wrote")
	}
}

func TestForeignKeysAreEnforced(t *testing.T) {
	db := open(t)
	err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO dataset_documents VALUES (7, 0, 9)")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "FOREIGN KEY") {
		t.Errorf("got %v, want a foreign key error", err)
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if _, err := os.Stat(db.path + suffix); err == nil {
			t.Errorf("%s is left behind", suffix)
		}
	}
	ro, err := Open(t.Context(), db.path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ro.Close()
	if err := ro.Write(t.Context(), func(*sql.Tx) error { return nil }); err == nil {
		t.Error("a read-only file was written")
	}
}

func TestOpenRefusesInWords(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	foreign := filepath.Join(dir, "foreign.db")
	newer := filepath.Join(dir, "newer.db")
	for path, script := range map[string]string{foreign: "CREATE TABLE t (x)", newer: "CREATE TABLE t (x); PRAGMA application_id = 1380077123; PRAGMA user_version = 999"} {
		pool := openPool(path, 1, false)
		if _, err := pool.Exec(script); err != nil {
			t.Fatal(err)
		}
		pool.Close()
	}
	for _, tt := range []struct{ path, want string }{
		{write("notes.txt", "just some words, more than sixteen"), "it is not a SQLite database"},
		{write("short.db", "x"), "it is not a SQLite database"},
		{foreign, "a SQLite database of another program"},
		{newer, "made by a newer ragbench"},
		{dir, "is a folder"},
	} {
		_, err := Open(t.Context(), tt.path, Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", filepath.Base(tt.path), err, tt.want)
		}
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "none.db"), Options{MustExist: true}); err == nil {
		t.Error("a missing file was made")
	}
}

func TestOpenGoesOnWithAFileThatHoldsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	pool := openPool(path, 1, false)
	if err := pool.Ping(); err != nil { // the journal mode is set, no table exists
		t.Fatal(err)
	}
	pool.Close()
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
}

func TestMigrationsAreInSequence(t *testing.T) {
	for i, name := range migrations() {
		if want := "000" + string(rune('1'+i)); !strings.HasPrefix(name, want) {
			t.Errorf("migration %d is %s, want a name that starts with %s", i+1, name, want)
		}
	}
}

func TestStockShellOpensTheFile(t *testing.T) {
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the sqlite3 shell is not installed")
	}
	db := open(t)
	path := db.path
	putCorpus(t, db, map[string]string{"a": "Alpha.", "b": "Beta."}, nil)
	db.Close()
	out, err := exec.Command(shell, "-readonly", path, "PRAGMA integrity_check; SELECT count(*) FROM documents").CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "ok\n2" {
		t.Errorf("got %q, %v, want ok and 2", out, err)
	}
}

// putCorpus stores documents by id and questions, and returns the report.
func putCorpus(t *testing.T, db *DB, docs map[string]string, questions []rag.Question) DatasetReport {
	t.Helper()
	rep, err := db.PutDataset(t.Context(), DatasetInput{
		Name: "test", Source: "memory", Now: "2026-01-01T00:00:00Z",
		Documents: func(yield func(rag.Document) error) error {
			for id, text := range docs {
				if err := yield(rag.Document{ID: id, Text: text, Source: id, MediaType: "text/plain", Encoding: "utf-8"}); err != nil {
					return err
				}
			}
			return nil
		},
		Questions: func(map[string]bool) ([]rag.Question, []rag.Qrel, []rag.Warning, error) {
			return questions, nil, nil, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestPutDatasetTwiceAndChanged(t *testing.T) {
	db := open(t)
	first := putCorpus(t, db, map[string]string{"a": "Alpha.", "b": "Beta.", "c": "Gamma."}, nil)
	if first.Existed || first.Added != 3 || first.Documents != 3 {
		t.Errorf("first: got %+v", first)
	}
	again := putCorpus(t, db, map[string]string{"c": "Gamma.", "b": "Beta.", "a": "Alpha."}, nil)
	if !again.Existed || again.DatasetID != first.DatasetID || again.CorpusSHA256 != first.CorpusSHA256 {
		t.Errorf("again: got %+v, want dataset %d unchanged", again, first.DatasetID)
	}
	changed := putCorpus(t, db, map[string]string{"a": "Alpha.", "b": "Beta, changed.", "d": "Delta."}, nil)
	if changed.Added != 1 || changed.Changed != 1 || changed.Removed != 1 {
		t.Errorf("changed: got %+v, want 1 added, 1 changed, 1 removed", changed)
	}
	var documents, datasets int
	if err := db.reader.QueryRow("SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM datasets)").Scan(&documents, &datasets); err != nil {
		t.Fatal(err)
	}
	if documents != 3 || datasets != 1 {
		t.Errorf("got %d documents and %d datasets, want 3 and 1: nothing referred to the old snapshot", documents, datasets)
	}
}

func TestDuplicateDocumentIsAnError(t *testing.T) {
	db := open(t)
	_, err := db.PutDataset(t.Context(), DatasetInput{Name: "d", Source: "m", Now: "now",
		Documents: func(yield func(rag.Document) error) error {
			for _, text := range []string{"one", "two"} {
				if err := yield(rag.Document{ID: "same", Text: text}); err != nil {
					return err
				}
			}
			return nil
		},
		Questions: func(map[string]bool) ([]rag.Question, []rag.Qrel, []rag.Warning, error) { return nil, nil, nil, nil },
	})
	if err == nil || !strings.Contains(err.Error(), "same appears twice") {
		t.Errorf("got %v, want an error that names the id", err)
	}
}

func TestLabels(t *testing.T) {
	graded := []rag.Qrel{{QuestionID: "q", DocID: "b", Grade: 2}, {QuestionID: "q", DocID: "a", Grade: 0}}
	for _, tt := range []struct {
		name   string
		list   []string
		graded []rag.Qrel
		want   []Label
	}{
		{"graded only", nil, graded, []Label{{"a", 0, false}, {"b", 2, true}}},
		{"list only", []string{"x"}, nil, []Label{{"x", 1, true}}},
		{"both", []string{"a", "x"}, graded, []Label{{"a", 0, true}, {"b", 2, false}, {"x", 0, true}}},
		{"none", nil, nil, []Label{}},
	} {
		got := Labels(rag.Question{ID: "q", Relevant: tt.list}, tt.graded)
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
			}
		}
	}
}

func TestEvidenceIsFoundByItsWords(t *testing.T) {
	db := open(t)
	putCorpus(t, db, map[string]string{"a": "Zwölf Boxkämpfer jagen Eva."}, []rag.Question{{ID: "q", Text: "Who?", Answerable: true,
		Evidence: []rag.Evidence{{DocID: "a", Start: -1, Quote: "jagen Eva"}, {DocID: "a", Start: 0, End: 5}, {DocID: "a", Start: -1, Quote: "absent"}}}})
	rows, err := db.reader.QueryContext(context.Background(), "SELECT start_char, end_char, quote FROM evidence ORDER BY position")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []rag.Evidence
	for rows.Next() {
		var e rag.Evidence
		if err := rows.Scan(&e.Start, &e.End, &e.Quote); err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	want := []rag.Evidence{{Start: 17, End: 26, Quote: "jagen Eva"}, {Start: 0, End: 5, Quote: "Zwölf"}, {Start: -1, End: -1, Quote: "absent"}}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}
