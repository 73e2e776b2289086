package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"
	"unicode/utf8"

	"ragbench/internal/rag"
)

// DatasetInput is a dataset to store. Documents calls yield for each document, in any order, and is read once.
type DatasetInput struct {
	Name      string
	Source    string // where it was read from, as the user wrote it
	Documents func(yield func(rag.Document) error) error
	// Questions is called after the documents, so that it can check labels against their ids.
	Questions func(docs map[string]bool) ([]rag.Question, []rag.Qrel, []rag.Warning, error)
	Now       string // ISO-8601 UTC
}

// DatasetReport says what storing a dataset did.
type DatasetReport struct {
	DatasetID    int64
	CorpusSHA256 string
	Existed      bool // the same documents, questions and labels were there
	Documents    int
	Questions    int
	Bytes        int64
	Added        int // against the newest dataset of the same name
	Changed      int
	Removed      int
	Warnings     []rag.Warning
}

// docKey is what a dataset's order and digest need of a document.
type docKey struct {
	id, sha string
	rowID   int64
}

// PutDataset stores a dataset in one transaction. Unchanged documents share their rows with earlier snapshots; the
// same dataset again stores nothing. Two documents with one id are an error.
func (db *DB) PutDataset(ctx context.Context, in DatasetInput) (DatasetReport, error) {
	var rep DatasetReport
	err := db.Write(ctx, func(tx *sql.Tx) error {
		keys, err := putDocuments(ctx, tx, in, &rep)
		if err != nil {
			return err
		}
		ids := make(map[string]bool, len(keys))
		for _, k := range keys {
			ids[k.id] = true
		}
		questions, qrels, warnings, err := in.Questions(ids)
		if err != nil {
			return err
		}
		rep.Questions, rep.Warnings = len(questions), warnings
		rep.CorpusSHA256 = corpusDigest(keys)
		digest := datasetDigest(rep.CorpusSHA256, questions, qrels)
		err = tx.QueryRowContext(ctx, corpusSQL.SQL("find_dataset"), sql.Named("name", in.Name), sql.Named("sha256", digest)).Scan(&rep.DatasetID)
		if err == nil {
			rep.Existed = true
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err := countChanges(ctx, tx, in.Name, keys, &rep); err != nil {
			return err
		}
		err = tx.QueryRowContext(ctx, corpusSQL.SQL("put_dataset"), sql.Named("name", in.Name), sql.Named("sha256", digest),
			sql.Named("corpus_sha256", rep.CorpusSHA256), sql.Named("source", in.Source), sql.Named("num_documents", len(keys)),
			sql.Named("num_questions", len(questions)), sql.Named("created_at", in.Now)).Scan(&rep.DatasetID)
		if err != nil {
			return err
		}
		if err := putMembers(ctx, tx, rep.DatasetID, keys); err != nil {
			return err
		}
		if err := putQuestions(ctx, tx, rep.DatasetID, questions, qrels); err != nil {
			return err
		}
		for i, w := range warnings {
			if _, err := tx.ExecContext(ctx, corpusSQL.SQL("put_warning"), sql.Named("dataset_id", rep.DatasetID), sql.Named("position", i),
				sql.Named("code", w.Code), sql.Named("subject", w.Subject), sql.Named("message", w.Message)); err != nil {
				return err
			}
		}
		return dropStale(ctx, tx, in.Name, rep.DatasetID)
	})
	if err != nil {
		return rep, fmt.Errorf("store dataset %s: %w", in.Name, err)
	}
	return rep, nil
}

// putDocuments streams the documents into the file and returns their keys in the order of their ids.
func putDocuments(ctx context.Context, tx *sql.Tx, in DatasetInput, rep *DatasetReport) ([]docKey, error) {
	put, err := tx.PrepareContext(ctx, corpusSQL.SQL("put_document"))
	if err != nil {
		return nil, err
	}
	defer put.Close()
	find, err := tx.PrepareContext(ctx, corpusSQL.SQL("find_document"))
	if err != nil {
		return nil, err
	}
	defer find.Close()
	var keys []docKey
	err = in.Documents(func(d rag.Document) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		meta, err := metadataJSON(d.Metadata)
		if err != nil {
			return fmt.Errorf("document %s: %w", d.ID, err)
		}
		k := docKey{id: d.ID, sha: digestOf(d.Title, d.Text, meta)}
		err = put.QueryRowContext(ctx, sql.Named("doc_id", d.ID), sql.Named("sha256", k.sha), sql.Named("title", d.Title), sql.Named("text", d.Text),
			sql.Named("source_path", d.Source), sql.Named("media_type", d.MediaType), sql.Named("encoding", d.Encoding), sql.Named("metadata", meta),
			sql.Named("num_chars", utf8.RuneCountInString(d.Text)), sql.Named("num_bytes", len(d.Text))).Scan(&k.rowID)
		if errors.Is(err, sql.ErrNoRows) {
			err = find.QueryRowContext(ctx, sql.Named("doc_id", d.ID), sql.Named("sha256", k.sha)).Scan(&k.rowID)
		}
		if err != nil {
			return fmt.Errorf("document %s: %w", d.ID, err)
		}
		keys = append(keys, k)
		rep.Bytes += int64(len(d.Text))
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(keys, func(a, b docKey) int { return cmp.Compare(a.id, b.id) })
	for i := 1; i < len(keys); i++ {
		if keys[i].id == keys[i-1].id {
			return nil, fmt.Errorf("document id %s appears twice", keys[i].id)
		}
	}
	rep.Documents = len(keys)
	return keys, nil
}

// putMembers writes which documents a dataset holds.
func putMembers(ctx context.Context, tx *sql.Tx, datasetID int64, keys []docKey) error {
	st, err := tx.PrepareContext(ctx, corpusSQL.SQL("put_dataset_document"))
	if err != nil {
		return err
	}
	defer st.Close()
	for i, k := range keys {
		if _, err := st.ExecContext(ctx, sql.Named("dataset_id", datasetID), sql.Named("position", i), sql.Named("document_id", k.rowID)); err != nil {
			return fmt.Errorf("document %s: %w", k.id, err)
		}
	}
	return nil
}

// countChanges compares the documents with those of the newest dataset of the same name.
func countChanges(ctx context.Context, tx *sql.Tx, name string, keys []docKey, rep *DatasetReport) error {
	rows, err := tx.QueryContext(ctx, corpusSQL.SQL("previous_documents"), sql.Named("name", name))
	if err != nil {
		return err
	}
	defer rows.Close()
	before := map[string]string{}
	for rows.Next() {
		var id, sha string
		if err := rows.Scan(&id, &sha); err != nil {
			return err
		}
		before[id] = sha
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, k := range keys {
		switch sha, ok := before[k.id]; {
		case !ok:
			rep.Added++
		case sha != k.sha:
			rep.Changed++
		}
		delete(before, k.id)
	}
	rep.Removed = len(before)
	return nil
}

// dropStale removes snapshots that newest replaces, and the indexes and texts that nothing refers to any more. What a
// run was made from stays.
func dropStale(ctx context.Context, tx *sql.Tx, name string, newest int64) error {
	if _, err := tx.ExecContext(ctx, corpusSQL.SQL("stale_datasets"), sql.Named("name", name), sql.Named("dataset_id", newest)); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, corpusSQL.SQL("stale_indexes"))
	if err != nil {
		return err
	}
	type pair struct{ index, analysis sql.NullInt64 }
	var stale []pair
	for rows.Next() {
		var p pair
		if err := rows.Scan(&p.index, &p.analysis); err != nil {
			rows.Close()
			return err
		}
		stale = append(stale, p)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, p := range stale {
		if p.analysis.Valid {
			if _, err := tx.ExecContext(ctx, fmt.Sprintf("DROP TABLE IF EXISTS fts_%d; DROP VIEW IF EXISTS fts_%[1]d_content", p.analysis.Int64)); err != nil {
				return err
			}
		}
	}
	for _, p := range stale {
		if _, err := tx.ExecContext(ctx, corpusSQL.SQL("drop_index"), sql.Named("index_id", p.index.Int64)); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, corpusSQL.SQL("drop_stale_documents"))
	return err
}

// corpusDigest is the SHA-256 over the ids and digests of the documents in order.
func corpusDigest(keys []docKey) string {
	h := sha256.New()
	for _, k := range keys {
		writePart(h, k.id)
		writePart(h, k.sha)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// datasetDigest covers the documents, the questions and the labels.
func datasetDigest(corpus string, questions []rag.Question, qrels []rag.Qrel) string {
	h := sha256.New()
	writePart(h, corpus)
	for _, v := range []any{questions, qrels} {
		b, err := json.Marshal(v) // structs of strings, numbers and string maps: fields in order, map keys sorted
		if err != nil {
			panic(err)
		}
		writePart(h, string(b))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// digestOf is the hexadecimal SHA-256 of length-prefixed parts.
func digestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		writePart(h, p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// writePart hashes a part behind its length, so that no two lists of parts look alike.
func writePart(h hash.Hash, part string) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(part)))
	h.Write(n[:])
	h.Write([]byte(part))
}

// metadataJSON writes string metadata as a JSON object with sorted keys.
func metadataJSON(m map[string]string) (string, error) {
	if len(m) == 0 {
		return "{}", nil
	}
	return jsonText(m)
}

// jsonText is v as JSON without HTML escapes.
func jsonText(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimRight(b.Bytes(), "\n")), nil
}
