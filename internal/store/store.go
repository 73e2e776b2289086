// Package store owns the file: it opens and migrates it, and reads and writes each family of tables. There is one
// writer and a pool of read-only connections; everything is reached through Read, Write and prepared statements.
package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	sqlite3 "github.com/mattn/go-sqlite3"

	_ "ragbench/internal/guard" // stops a build without SQLite's options
	"ragbench/internal/sqlext"
)

// DB is an open file. It is safe for concurrent use.
type DB struct {
	path   string
	writer *sql.DB // one connection, BEGIN IMMEDIATE; nil when opened read-only
	reader *sql.DB // query_only

	mu    sync.Mutex
	stmts map[string]*sql.Stmt // prepared on the read pool, by text
}

// Options says how to open a file.
type Options struct {
	ReadOnly  bool // never creates, migrates or writes
	MustExist bool // a missing file is an error instead of a new one
	Readers   int  // read-only connections; 0 means one a processor, at least 4
}

// Open opens the file at path, makes it when it does not exist, and brings an older one up to date. A file that is not
// ragbench's, or is of a newer version, is refused in words.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	sqlext.Register()
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if _, err := os.Stat(abs); errors.Is(err, os.ErrNotExist) && (o.ReadOnly || o.MustExist) {
		return nil, fmt.Errorf("open %s: no such file", path)
	}
	db := &DB{path: abs, stmts: map[string]*sql.Stmt{}}
	if err := db.check(ctx); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if !o.ReadOnly {
		db.writer = openPool(abs, 1, false)
		if err := db.migrate(ctx); err != nil {
			db.writer.Close()
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
	}
	n := o.Readers
	if n <= 0 {
		n = max(4, runtime.GOMAXPROCS(0))
	}
	db.reader = openPool(abs, n, true)
	return db, nil
}

// Path returns the absolute path of the file.
func (db *DB) Path() string { return db.path }

// Reader returns the read-only pool, for callers that stream rows or bring their own statements.
func (db *DB) Reader() *sql.DB { return db.reader }

// Read runs fn in a read-only transaction: one consistent state of the file.
func (db *DB) Read(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin read: %w", err)
	}
	defer tx.Rollback()
	return fn(tx)
}

// Write runs fn in the one write transaction and commits when it returns nil. Inside, only tx may be used: asking for
// another write would wait for itself.
func (db *DB) Write(ctx context.Context, fn func(*sql.Tx) error) error {
	if db.writer == nil {
		return errors.New("write: the file is open read-only")
	}
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin write: %w", err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Prepare returns the statement of the read pool for a text, prepared once.
func (db *DB) Prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if st, ok := db.stmts[text]; ok {
		return st, nil
	}
	st, err := db.reader.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	db.stmts[text] = st
	return st, nil
}

// Close folds the write-ahead log into the file, so that the .db alone is complete, and closes every connection.
func (db *DB) Close() error {
	var errs []error
	for _, st := range db.stmts {
		st.Close()
	}
	errs = append(errs, db.reader.Close())
	if db.writer != nil {
		// Fails only while another process has the file open; closing the last connection folds the log in anyway.
		_, _ = db.writer.Exec("PRAGMA journal_mode = DELETE")
		errs = append(errs, db.writer.Close())
	}
	return errors.Join(errs...)
}

// connector opens connections that all carry the same settings: a PRAGMA sent to a pool reaches one connection only.
type connector struct {
	drv *sqlite3.SQLiteDriver
	dsn string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.drv.Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return c.drv }

// settings of every connection, in the order SQLite wants them: the page size before the journal mode.
var settings = []string{
	"PRAGMA busy_timeout = 10000",
	"PRAGMA page_size = 16384",
	"PRAGMA foreign_keys = ON",
	"PRAGMA synchronous = NORMAL",
	"PRAGMA temp_store = MEMORY",
	"PRAGMA cache_size = -65536",
	"PRAGMA mmap_size = 1073741824",
	"PRAGMA trusted_schema = OFF",
}

// openPool opens n connections to the file at path. Nothing is read until the first use.
func openPool(path string, n int, readOnly bool) *sql.DB {
	pragmas := settings
	query := "?_txlock=immediate"
	if readOnly {
		query = "?mode=ro&_txlock=deferred"
		pragmas = append(pragmas[:len(pragmas):len(pragmas)], "PRAGMA query_only = ON")
	} else {
		pragmas = append(pragmas[:len(pragmas):len(pragmas)], "PRAGMA journal_mode = WAL")
	}
	drv := &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		for _, p := range pragmas {
			if _, err := c.Exec(p, nil); err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
		}
		return nil
	}}
	db := sql.OpenDB(connector{drv, fileURI(path) + query})
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db
}
