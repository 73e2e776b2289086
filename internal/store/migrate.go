package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"ragbench/schema"
)

// ApplicationID marks a file as ragbench's in its header: "RBNC".
const ApplicationID = 0x52424e43

// Version returns the schema version this program writes: the number of migrations.
func Version() int { return len(migrations()) }

// migrations lists the migration files in order.
func migrations() []string {
	names, err := fs.Glob(schema.Files, "[0-9]*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return names
}

// check refuses, before anything is written, a file that is not SQLite's, not ragbench's or newer than this program.
func (db *DB) check(ctx context.Context) error {
	info, err := os.Stat(db.path)
	if errors.Is(err, os.ErrNotExist) || (err == nil && info.Size() == 0) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return errors.New("is a folder, not a ragbench file")
	}
	f, err := os.Open(db.path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 16)
	if _, err := io.ReadFull(f, head); err != nil || string(head) != "SQLite format 3\x00" {
		return errors.New("not a ragbench file: it is not a SQLite database")
	}
	pool := openPool(db.path, 1, true)
	defer pool.Close()
	var id, version int
	if err := pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return fmt.Errorf("read the header: %w", err)
	}
	if id == 0 {
		// What a process leaves that was killed while it made the file: nothing in it yet.
		var objects int
		if err := pool.QueryRowContext(ctx, fileSQL.SQL("count_objects")).Scan(&objects); err != nil {
			return fmt.Errorf("read the schema: %w", err)
		}
		if objects == 0 {
			return nil
		}
	}
	if id != ApplicationID {
		return errors.New("not a ragbench file: it is a SQLite database of another program")
	}
	if err := pool.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("read the header: %w", err)
	}
	if version > Version() {
		return fmt.Errorf("the file has version %d, made by a newer ragbench; this one knows versions up to %d: update ragbench", version, Version())
	}
	return nil
}

// migrate applies the migrations the file lacks, each in a transaction of its own, and the views when they changed. A
// copy of an older file is kept beside it.
func (db *DB) migrate(ctx context.Context) error {
	var version int
	if err := db.writer.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("read the version: %w", err)
	}
	names := migrations()
	if version > 0 && version < len(names) {
		backup := fmt.Sprintf("%s.v%d.bak", db.path, version)
		if _, err := os.Stat(backup); errors.Is(err, os.ErrNotExist) {
			if _, err := db.writer.ExecContext(ctx, "VACUUM INTO ?", backup); err != nil {
				return fmt.Errorf("keep a copy before migrating: %w", err)
			}
		}
	}
	for i := version; i < len(names); i++ {
		if err := db.Write(ctx, func(tx *sql.Tx) error { return apply(ctx, tx, names[i], i+1) }); err != nil {
			return fmt.Errorf("migrate %s: %w", names[i], err)
		}
	}
	return db.Write(ctx, func(tx *sql.Tx) error { return applyViews(ctx, tx) })
}

// apply runs one migration. Another process may have been faster: then there is nothing left to do.
func apply(ctx context.Context, tx *sql.Tx, name string, version int) error {
	var have int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if have >= version {
		return nil
	}
	b, err := schema.Files.ReadFile(name)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("%s;\nPRAGMA application_id = %d;\nPRAGMA user_version = %d", strings.TrimRight(string(b), "; \n"), ApplicationID, version))
	return err
}

// applyViews creates the views again when views.sql differs from what the file was given last.
func applyViews(ctx context.Context, tx *sql.Tx) error {
	b, err := schema.Files.ReadFile("views.sql")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(b)
	digest := hex.EncodeToString(sum[:])
	var have string
	err = tx.QueryRowContext(ctx, fileSQL.SQL("get_info"), sql.Named("key", "views_sha256")).Scan(&have)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if have == digest {
		return nil
	}
	if _, err := tx.ExecContext(ctx, string(b)); err != nil {
		return fmt.Errorf("create views: %w", err)
	}
	_, err = tx.ExecContext(ctx, fileSQL.SQL("put_info"), sql.Named("key", "views_sha256"), sql.Named("value", digest))
	return err
}
