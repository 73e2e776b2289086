package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
)

// Imported is what an import wrote.
type Imported struct {
	Documents, Questions, Qrels int
	Warnings                    []rag.Warning
}

// ImportBEIR reads a BEIR folder (p.Root, with p.Split, p.Qrels and p.OnlyJudged) and writes out/docs/corpus.jsonl,
// out/questions.jsonl and out/qrels.jsonl with all ids as they are. The same input gives the same bytes. A file that
// exists with other content is not replaced: the import stops with an error that names it, and changes nothing.
func ImportBEIR(ctx context.Context, p Paths, out string) (Imported, error) {
	var done Imported
	s, err := Open(p)
	if err != nil {
		return done, err
	}
	if s.Layout != "beir" {
		return done, fmt.Errorf("import %s: %w", p.Root, errors.New("it has no corpus.jsonl, so it is no BEIR folder"))
	}
	questions, qrels, warns, err := s.Questions(ctx)
	done.Warnings = append(done.Warnings, warns...)
	if err != nil {
		return done, err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return done, fmt.Errorf("import: %w", err)
	}
	tmp, err := os.MkdirTemp(out, ".import-*")
	if err != nil {
		return done, fmt.Errorf("import: %w", err)
	}
	defer os.RemoveAll(tmp)
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{filepath.Join("docs", "corpus.jsonl"), func(w io.Writer) error {
			n, warns, err := s.copyCorpus(ctx, w)
			done.Documents, done.Warnings = n, append(done.Warnings, warns...)
			return err
		}},
		{"questions.jsonl", func(w io.Writer) error {
			done.Questions = len(questions)
			for i := range questions {
				if err := WriteQuestion(w, &questions[i]); err != nil {
					return err
				}
			}
			return nil
		}},
		{"qrels.jsonl", func(w io.Writer) error {
			done.Qrels = len(qrels)
			for _, q := range qrels {
				if err := WriteQrel(w, q); err != nil {
					return err
				}
			}
			return nil
		}},
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(tmp, f.name), f.write); err != nil {
			return done, fmt.Errorf("import %s: %w", f.name, err)
		}
		if err := sameOrAbsent(filepath.Join(tmp, f.name), filepath.Join(out, f.name)); err != nil {
			return done, fmt.Errorf("import: %w", err)
		}
	}
	for _, f := range files {
		to := filepath.Join(out, f.name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return done, fmt.Errorf("import: %w", err)
		}
		if err := os.Rename(filepath.Join(tmp, f.name), to); err != nil {
			return done, fmt.Errorf("import: %w", err)
		}
	}
	return done, nil
}

// copyCorpus writes the documents as they stand in the file, so that nothing a loader would add or mend gets into the
// copy. A row without an id is an error.
func (s *Source) copyCorpus(ctx context.Context, w io.Writer) (int, []rag.Warning, error) {
	n := 0
	lines := map[string]int{}
	warns, err := s.eachRow(ctx, s.DocsPath, func(_ *jsonl.Reader, row *jsonl.Row) error {
		r := reading{row: row}
		d := rag.Document{ID: r.str("id", "_id", "doc_id"), Title: r.str("title"), Text: r.str("text", "content", "body")}
		if r.err != nil {
			return r.err
		}
		if d.ID == "" {
			return row.Errorf("a document has no _id")
		}
		if before, dup := lines[d.ID]; dup {
			return row.Errorf("document id %q is that of line %d too", d.ID, before)
		}
		lines[d.ID] = row.Line
		d.Metadata = row.Rest()
		n++
		return WriteDocument(w, &d)
	})
	return n, warns, err
}

func writeFile(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = write(w)
	return errors.Join(err, w.Flush(), f.Close())
}

// sameOrAbsent returns an error where old exists and differs from fresh.
func sameOrAbsent(fresh, old string) error {
	a, err := os.Open(old)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := os.Open(fresh)
	if err != nil {
		return err
	}
	defer b.Close()
	ra, rb := bufio.NewReader(a), bufio.NewReader(b)
	for {
		x, errX := ra.ReadSlice('\n')
		y, errY := rb.ReadSlice('\n')
		if !bytes.Equal(x, y) {
			return fmt.Errorf("%s exists and holds something else; choose another folder or remove it", old)
		}
		if errors.Is(errX, io.EOF) && errors.Is(errY, io.EOF) {
			return nil
		}
		for _, err := range []error{errX, errY} {
			if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
				return err
			}
		}
	}
}
