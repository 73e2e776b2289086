package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
)

// checkEvery is how many rows a loop takes between two looks at its context.
const checkEvery = 1024

// lexicalWriter builds one analysis, in the order of its methods.
type lexicalWriter struct {
	ctx       context.Context
	tx        *sql.Tx
	index     int64
	tokenizer string // FTS5's
	analyzer  *Analyzer

	id          int64
	first, last int64 // chunk ids
	rows        int
	tokens      int64
	bigrams     bool
	terms       map[string]uint32 // term to its place in lists
	lists       []list
	block       rowBlock
	texts       *bulk
	blocks      *bulk
}

func (w *lexicalWriter) readSpan() (err error) {
	w.first, w.last, err = chunkSpan(w.ctx, w.tx, w.index)
	return err
}

// start makes the row of the analysis, which the others refer to.
func (w *lexicalWriter) start(stopWords string) error {
	made, err := w.tx.ExecContext(w.ctx, lexicalSQL.SQL("put_analysis"), sql.Named("index_id", w.index),
		sql.Named("tokenizer", w.tokenizer), sql.Named("stop_words", stopWords))
	if err != nil {
		return err
	}
	w.id, err = made.LastInsertId()
	return err
}

// readChunks counts the terms of every chunk and writes rows and changed texts.
func (w *lexicalWriter) readChunks() (err error) {
	if w.texts, err = newBulk(w.ctx, w.tx, "changed text", lexicalSQL.SQL("put_text")); err != nil {
		return err
	}
	defer w.texts.close()
	if w.blocks, err = newBulk(w.ctx, w.tx, "rows", lexicalSQL.SQL("put_rows")); err != nil {
		return err
	}
	defer w.blocks.close()
	// A context to watch would cost a goroutine a row.
	rows, err := w.tx.QueryContext(context.WithoutCancel(w.ctx), lexicalSQL.SQL("chunk_texts"), sql.Named("first", w.first),
		sql.Named("last", w.last), sql.Named("index_id", w.index))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if w.rows%checkEvery == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return err
		}
		if err := w.addChunk(id, text); err != nil {
			return fmt.Errorf("chunk %d: %w", id, err)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return w.flushRows()
}

func (w *lexicalWriter) addChunk(id int64, text string) error {
	if w.rows == math.MaxInt32 {
		return errors.New("too many chunks in one index")
	}
	p, err := w.analyzer.Prepare(text)
	if err != nil {
		return err
	}
	if p.Changed {
		w.bigrams = w.bigrams || p.Bigrams
		if err := w.texts.put(w.id, id, p.Text); err != nil {
			return err
		}
	}
	row, length := uint32(w.rows), uint32(0)
	err = w.analyzer.tokens.Each(p.Text, func(term []byte, _, _ int) {
		w.count(term, row)
		length++
	})
	if err != nil {
		return err
	}
	w.rows++
	w.tokens += int64(length)
	if err := w.block.add(id, length); err != nil {
		return err
	}
	if len(w.block.ids) == rowsPerBlock {
		return w.flushRows()
	}
	return nil
}

func (w *lexicalWriter) count(term []byte, row uint32) {
	i, known := w.terms[string(term)] // does not allocate
	if !known {
		i = uint32(len(w.lists))
		w.terms[string(term)] = i
		w.lists = append(w.lists, list{})
	}
	w.lists[i].add(row)
}

func (w *lexicalWriter) flushRows() error {
	first, n := w.block.first, len(w.block.ids)
	if n == 0 {
		return nil
	}
	return w.blocks.put(w.id, first, n, w.block.encode())
}

// writeTerms writes the postings in the order of their key.
func (w *lexicalWriter) writeTerms() error {
	put, err := newBulk(w.ctx, w.tx, "postings", lexicalSQL.SQL("put_term"))
	if err != nil {
		return err
	}
	defer put.close()
	sorted := make([]string, 0, len(w.terms))
	for term := range w.terms {
		sorted = append(sorted, term)
	}
	slices.Sort(sorted)
	for i, term := range sorted {
		if i%checkEvery == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		l := &w.lists[w.terms[term]]
		l.flush()
		if err := put.put(w.id, []byte(term), int64(l.df), l.data); err != nil {
			return err
		}
		l.data = nil
	}
	return nil
}

// makeFTS makes and fills the FTS5 table.
func (w *lexicalWriter) makeFTS() error {
	if err := w.run("create_content", "create_fts", "set_hash_size"); err != nil {
		return err
	}
	_, err := w.tx.ExecContext(w.ctx, template("fill_fts", w.id, w.tokenizer), sql.Named("first", w.first), sql.Named("last", w.last), sql.Named("index_id", w.index))
	if err != nil {
		return fmt.Errorf("fill_fts: %w", err)
	}
	return w.run("reset_hash_size")
}

// run executes templates without arguments.
func (w *lexicalWriter) run(names ...string) error {
	for _, name := range names {
		if _, err := w.tx.ExecContext(w.ctx, template(name, w.id, w.tokenizer)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// verify compares the FTS5 table with its content and with the postings: rows, terms, frequencies.
func (w *lexicalWriter) verify() error {
	if err := w.run("check_fts", "create_vocabulary"); err != nil {
		return err
	}
	var rows, terms, tokens, different int64
	if err := w.tx.QueryRowContext(w.ctx, template("count_fts", w.id, "")).Scan(&rows); err != nil {
		return fmt.Errorf("count_fts: %w", err)
	}
	if err := w.tx.QueryRowContext(w.ctx, template("compare_vocabulary", w.id, "")).Scan(&terms, &tokens, &different); err != nil {
		return fmt.Errorf("compare_vocabulary: %w", err)
	}
	if err := w.run("drop_vocabulary"); err != nil {
		return err
	}
	if rows != int64(w.rows) || terms != int64(len(w.lists)) || tokens != w.tokens || different != 0 {
		return fmt.Errorf("fts_%d has %d rows, %d terms, %d tokens, %d of the terms in other rows; the postings have %d rows, %d terms, %d tokens",
			w.id, rows, terms, tokens, different, w.rows, len(w.lists), w.tokens)
	}
	return nil
}
