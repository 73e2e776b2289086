package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/sqlext"
)

// setConnections is how many connections a Set reads with. Searches need one only for what is not in memory yet.
const setConnections = 2

// errInterrupted is what waits for a load that panicked.
var errInterrupted = errors.New("the load was interrupted")

// Set answers the searches of one file, from SQL and from Go. It loads what a search needs when it is first asked for, through
// connections of its own: a search runs inside a statement, whose pool may have none to spare. It is safe for concurrent
// use. What is built later, by this process or another, is found as soon as it is committed.
//
// In memory are, for each analysis searched, the rows and the postings of the words asked for (up to postingsBudget), and
// for each vector index searched its vectors, twice when they are not of length 1.
type Set struct {
	db        *sql.DB
	detach    func()
	analyses  loads[*analysisData]
	lexicals  loads[*lexicalIndex]
	vectors   loads[*vectorIndex]
	statement map[string]*sql.Stmt
}

var _ sqlext.Searcher = (*Set)(nil)

// Open makes the searcher of a file that exists and is migrated, and attaches it: bm25_search and vector_search work from then
// on in every connection to the file. db is the open store. Close the set before the store.
func Open(db interface{ Path() string }) (*Set, error) {
	sqlext.Register()
	path := filepath.ToSlash(db.Path())
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	uri := url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro&_query_only=1&_busy_timeout=10000&_foreign_keys=1"}
	pool, err := sql.Open("sqlite3", uri.String())
	if err != nil {
		return nil, fmt.Errorf("open indexes of %s: %w", db.Path(), err)
	}
	pool.SetMaxOpenConns(setConnections)
	pool.SetMaxIdleConns(setConnections)
	s := &Set{db: pool, statement: map[string]*sql.Stmt{}}
	for name, st := range setSQL {
		if s.statement[name], err = pool.Prepare(st.SQL); err != nil {
			pool.Close()
			return nil, fmt.Errorf("open indexes of %s: %w", db.Path(), err)
		}
	}
	s.detach = sqlext.Attach(db.Path(), s)
	return s, nil
}

// Close detaches the set, waits for running searches of SQL statements and frees everything. Searches after it are errors.
func (s *Set) Close() error {
	s.detach()
	err := s.db.Close()
	s.Forget()
	return err
}

// Forget drops what is in memory. It must follow the deletion of an index, whose ids SQLite may use again.
func (s *Set) Forget() {
	s.lexicals.clear(func(*lexicalIndex) {})
	s.vectors.clear(func(*vectorIndex) {})
	s.analyses.clear(func(*analysisData) {})
}

// SearchText returns the k best rows of the lexical index lexicalID that share a word with the question: score descending,
// then chunk id. A question without words has no hits. An unknown id is rag.ErrNotFound.
func (s *Set) SearchText(lexicalID int64, question string, k int) ([]sqlext.Hit, error) {
	lex, err := s.lexicals.get(lexicalID, s.loadLexical)
	if err != nil {
		return nil, fmt.Errorf("lexical index %d: %w", lexicalID, err)
	}
	hits, err := lex.search(s, question, k)
	if err != nil {
		return nil, fmt.Errorf("search lexical index %d: %w", lexicalID, err)
	}
	return hits, nil
}

// SearchVector returns the k chunks of the vector index vectorID nearest to the vector by cosine: score descending, then
// chunk id. The vector is float32, little endian; it must have the dimensions of the index, be finite and not zero. The score
// is 1 - vec_distance_cosine. An unknown id is rag.ErrNotFound.
func (s *Set) SearchVector(vectorID int64, vector []byte, k int) ([]sqlext.Hit, error) {
	v, err := s.vectors.get(vectorID, s.loadVectors)
	if err != nil {
		return nil, fmt.Errorf("vector index %d: %w", vectorID, err)
	}
	hits, err := v.search(vector, k)
	if err != nil {
		return nil, fmt.Errorf("search vector index %d: %w", vectorID, err)
	}
	return hits, nil
}

// one reads the only row of a statement; rag.ErrNotFound when there is none.
func (s *Set) one(name string, args []any, to ...any) error {
	err := s.statement[name].QueryRowContext(context.Background(), args...).Scan(to...)
	if errors.Is(err, sql.ErrNoRows) {
		return rag.ErrNotFound
	}
	return err
}

// many calls f at every row of a statement, to scan it.
func (s *Set) many(name string, args []any, f func(*sql.Rows) error) error {
	rows, err := s.statement[name].QueryContext(context.Background(), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
