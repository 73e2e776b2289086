// Package dataset finds and reads a dataset: documents, questions and relevance labels. A folder is known by what it
// holds, so its path is enough: docs/ with questions.jsonl and qrels.jsonl beside it, or the layout of BEIR (Thakur et
// al. 2021): corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv.
package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ragbench/internal/load"
	"ragbench/internal/load/jsonl"
	"ragbench/internal/rag"
)

// Paths says where a dataset is. Root alone is enough for a folder of a known layout; each other path replaces what the
// layout says. A relative path is taken below Root where it exists there, else as it is.
type Paths struct {
	Root      string
	Docs      string // a folder or a file
	Questions string // JSON lines
	Qrels     string // JSON lines, a tab-separated table or the format of TREC
	Split     string // of BEIR's qrels; "" means test

	OnlyJudged bool // leave out questions that have no label at all
	Load       load.Options
	FS         fs.FS // where the paths are; nil means the disk
}

// Source is a dataset that was found. Nothing of it has been read yet.
type Source struct {
	Layout        string // folder, beir or files
	DocsPath      string
	QuestionsPath string // "" where there are none
	QrelsPath     string // "" where there are none

	paths Paths
}

// Documents calls yield with each document in a fixed order, one at a time, and returns what a reader should know about
// them, such as empty ones. Repeated ids are an error that names both places. See load.Walk.
func (s *Source) Documents(ctx context.Context, yield func(rag.Document) error) ([]rag.Warning, error) {
	if s.paths.FS != nil {
		return load.WalkFS(ctx, s.paths.FS, s.DocsPath, s.paths.Load, yield)
	}
	return load.Walk(ctx, s.DocsPath, s.paths.Load, yield)
}

// Questions returns the questions in the order of their file, the labels likewise, and warnings. Repeated question ids
// and contradicting labels are errors that name the lines. Labels are checked against questions and documents by
// Validate, since only the caller knows the documents by then.
func (s *Source) Questions(ctx context.Context) ([]rag.Question, []rag.Qrel, []rag.Warning, error) {
	var warns []rag.Warning
	var qrels []rag.Qrel
	if s.QrelsPath != "" {
		rels, w, err := s.readQrels(ctx)
		warns = append(warns, w...)
		if err != nil {
			return nil, nil, warns, err
		}
		qrels = rels
	}
	if s.QuestionsPath == "" {
		return nil, qrels, warns, nil
	}
	questions, w, err := s.readQuestions(ctx)
	warns = append(warns, w...)
	if err != nil {
		return nil, nil, warns, err
	}
	if s.paths.OnlyJudged {
		judged := map[string]bool{}
		for _, q := range qrels {
			judged[q.QuestionID] = true
		}
		questions = slices.DeleteFunc(questions, func(q rag.Question) bool { return !judged[q.ID] && len(q.Relevant) == 0 })
	}
	return questions, qrels, warns, nil
}

// open opens a file of the dataset.
func (s *Source) open(name string) (fs.File, error) {
	if s.paths.FS != nil {
		return s.paths.FS.Open(name)
	}
	return os.Open(name)
}

// maxRow is the greatest length of a row of questions or labels in bytes.
const maxRow = 64 << 20

// eachRow calls row with every row of a file of JSON lines.
func (s *Source) eachRow(ctx context.Context, name string, row func(*jsonl.Reader, *jsonl.Row) error) ([]rag.Warning, error) {
	f, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := jsonl.NewReader(f, filepath.Base(name), maxRow)
	if err != nil {
		return nil, err
	}
	return readRows(ctx, r, row)
}

func readRows(ctx context.Context, r *jsonl.Reader, row func(*jsonl.Reader, *jsonl.Row) error) ([]rag.Warning, error) {
	for {
		if err := ctx.Err(); err != nil {
			return r.Warnings(), err
		}
		next, err := r.Next()
		if isEOF(err) {
			return r.Warnings(), nil
		}
		if err == nil {
			err = row(r, next)
		}
		if err != nil {
			return r.Warnings(), fmt.Errorf("read dataset: %w", err)
		}
	}
}

var errNoDocs = errors.New("it holds neither docs nor corpus.jsonl")
