package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ragbench/internal/rag"
)

// Dataset is one stored snapshot.
type Dataset struct {
	ID           int64
	Name         string
	SHA256       string
	CorpusSHA256 string
	Source       string
	Documents    int
	Questions    int
}

// Corpus returns what systems ingest.
func (d Dataset) Corpus() rag.Corpus { return rag.Corpus{DatasetID: d.ID, SHA256: d.CorpusSHA256} }

// NewestDataset returns the newest snapshot called name, or the newest of all for an empty name. The error of a missing
// one is rag.ErrNotFound.
func (db *DB) NewestDataset(ctx context.Context, name string) (Dataset, error) {
	var id int64
	err := db.reader.QueryRowContext(ctx, corpusSQL.SQL("newest_dataset"), sql.Named("name", name)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return Dataset{}, fmt.Errorf("dataset %s: %w", name, rag.ErrNotFound)
	}
	if err != nil {
		return Dataset{}, fmt.Errorf("find dataset %s: %w", name, err)
	}
	return db.Dataset(ctx, id)
}

// Dataset returns a snapshot by its id.
func (db *DB) Dataset(ctx context.Context, id int64) (Dataset, error) {
	var d Dataset
	err := db.reader.QueryRowContext(ctx, corpusSQL.SQL("get_dataset"), sql.Named("dataset_id", id)).
		Scan(&d.ID, &d.Name, &d.SHA256, &d.CorpusSHA256, &d.Source, &d.Documents, &d.Questions)
	if err != nil {
		return d, fmt.Errorf("read dataset %d: %w", id, err)
	}
	return d, nil
}

// EachDocument calls yield for the documents of a dataset in the order of their ids, one in memory at a time. It runs
// inside tx.
func EachDocument(ctx context.Context, tx *sql.Tx, datasetID int64, yield func(*rag.Document) error) error {
	rows, err := tx.QueryContext(ctx, corpusSQL.SQL("documents"), sql.Named("dataset_id", datasetID))
	if err != nil {
		return fmt.Errorf("read documents: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var d rag.Document
		var meta string
		if err := rows.Scan(&d.RowID, &d.ID, &d.Title, &d.Text, &d.Source, &d.MediaType, &d.Encoding, &meta); err != nil {
			return fmt.Errorf("read documents: %w", err)
		}
		if meta != "{}" {
			if err := json.Unmarshal([]byte(meta), &d.Metadata); err != nil {
				return fmt.Errorf("metadata of document %s: %w", d.ID, err)
			}
		}
		if err := yield(&d); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Questions returns the questions of a dataset in their order, without labels.
func (db *DB) Questions(ctx context.Context, datasetID int64) ([]rag.Question, error) {
	rows, err := db.reader.QueryContext(ctx, corpusSQL.SQL("questions"), sql.Named("dataset_id", datasetID))
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	defer rows.Close()
	var list []rag.Question
	for rows.Next() {
		var q rag.Question
		var keywords, tools, meta string
		if err := rows.Scan(&q.RowID, &q.ID, &q.Text, &q.Answerable, &q.Reference, &q.Category, &q.Difficulty, &q.AnswerType, &keywords, &tools, &q.RoutingHint, &meta); err != nil {
			return nil, fmt.Errorf("read questions: %w", err)
		}
		if err := errors.Join(json.Unmarshal([]byte(keywords), &q.Keywords), json.Unmarshal([]byte(tools), &q.Tools), json.Unmarshal([]byte(meta), &q.Metadata)); err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		list = append(list, q)
	}
	return list, rows.Err()
}

// Warnings returns what was noticed about a dataset when it was stored.
func (db *DB) Warnings(ctx context.Context, datasetID int64) ([]rag.Warning, error) {
	rows, err := db.reader.QueryContext(ctx, corpusSQL.SQL("warnings"), sql.Named("dataset_id", datasetID))
	if err != nil {
		return nil, fmt.Errorf("read warnings: %w", err)
	}
	defer rows.Close()
	var list []rag.Warning
	for rows.Next() {
		var w rag.Warning
		if err := rows.Scan(&w.Code, &w.Subject, &w.Message); err != nil {
			return nil, fmt.Errorf("read warnings: %w", err)
		}
		list = append(list, w)
	}
	return list, rows.Err()
}
