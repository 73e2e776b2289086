package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"ragbench/internal/index"
	"ragbench/internal/store"
)

// file is an open store with its searcher, so that every statement may use bm25_search and vector_search.
type file struct {
	*store.DB
	search *index.Set
	also   []io.Closer // closed with it
}

// open opens a file with its searcher.
func open(ctx context.Context, path string, o store.Options) (*file, error) {
	db, err := store.Open(ctx, path, o)
	if err != nil {
		return nil, err
	}
	set, err := index.Open(db)
	if err != nil {
		db.Close()
		return nil, err
	}
	return &file{DB: db, search: set}, nil
}

// Close closes the searcher, then the store, then what was opened beside it.
func (f *file) Close() error {
	var also []error
	for _, c := range f.also {
		also = append(also, c.Close())
	}
	return errors.Join(f.search.Close(), f.DB.Close(), errors.Join(also...))
}

// existing opens the file that --db, RAGBENCH_DB or the working folder names.
func (a *app) existing(ctx context.Context, readOnly bool) (*file, error) {
	path, err := a.existingPath()
	if err != nil {
		return nil, err
	}
	return open(ctx, path, store.Options{ReadOnly: readOnly, MustExist: true})
}

// existingPath is --db, else RAGBENCH_DB, else the newest .db of the working folder, which is then named on stderr.
func (a *app) existingPath() (string, error) {
	if a.dbPath != "" {
		return a.dbPath, nil
	}
	if p := a.getenv("RAGBENCH_DB"); p != "" {
		return p, nil
	}
	names, err := filepath.Glob("*.db")
	if err != nil {
		return "", err
	}
	newest := ""
	var when time.Time
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && (newest == "" || info.ModTime().After(when)) {
			newest, when = name, info.ModTime()
		}
	}
	if newest == "" {
		return "", errors.New("no ragbench file: name one with --db FILE, or make one with ragbench run -c CONFIG")
	}
	if len(names) > 1 {
		fmt.Fprintf(a.Err, "using %s, the newest of %d .db files here\n", newest, len(names))
	}
	return newest, nil
}
