package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"ragbench/internal/config"
	"ragbench/internal/dataset"
	"ragbench/internal/load"
	"ragbench/internal/load/pdf"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// storeDataset reads the dataset of a configuration into the file and says what it found.
func (a *app) storeDataset(ctx context.Context, f *file, d config.Dataset) (store.Dataset, store.DatasetReport, error) {
	src, err := dataset.Open(dataset.Paths{
		Root: d.Path, Docs: d.Docs, Questions: d.Questions, Qrels: d.Qrels, Split: d.Split, OnlyJudged: d.OnlyJudged,
		Load: load.Options{
			MaxFileMB: d.MaxFileMB, OnError: d.OnError, Include: d.Include, Exclude: d.Exclude,
			Tabular: load.Tabular{TextColumns: d.TextColumns, IDColumn: d.IDColumn},
			PDF:     pdf.Options{Engine: d.PDFEngine, CacheDir: codeCache()},
		},
	})
	if err != nil {
		return store.Dataset{}, store.DatasetReport{}, err
	}
	start := a.now()
	var noticed []rag.Warning
	rep, err := f.PutDataset(ctx, store.DatasetInput{
		Name:   d.Name,
		Source: source(d),
		Documents: func(yield func(rag.Document) error) (err error) {
			noticed, err = src.Documents(ctx, yield)
			return err
		},
		Questions: func(docs map[string]bool) ([]rag.Question, []rag.Qrel, []rag.Warning, error) {
			questions, qrels, warnings, err := src.Questions(ctx)
			if err != nil {
				return nil, nil, nil, err
			}
			about, err := dataset.Validate(func(id string) bool { return docs[id] }, questions, qrels)
			return questions, qrels, slices.Concat(noticed, warnings, about), err
		},
		Now: start.UTC().Format(time.RFC3339),
	})
	if err != nil {
		return store.Dataset{}, rep, err
	}
	f.search.Forget() // ids of indexes that were dropped may come again
	describeDataset(a.Err, d.Name, rep, a.now().Sub(start))
	ds, err := f.Dataset(ctx, rep.DatasetID)
	return ds, rep, err
}

// source is where a dataset is read from, as the user wrote it.
func source(d config.Dataset) string {
	if d.Path != "" {
		return d.Path
	}
	return d.Docs
}

// describeDataset says on stderr what storing a dataset did.
func describeDataset(w io.Writer, name string, rep store.DatasetReport, took time.Duration) {
	size := float64(rep.Bytes) / 1e6
	if rep.Existed {
		fmt.Fprintf(w, "dataset %s: nothing new in %d documents and %d questions\n", name, rep.Documents, rep.Questions)
		return
	}
	fmt.Fprintf(w, "dataset %s: %d documents (%.1f MB), %d questions; %d added, %d changed, %d removed, in %.1f s\n",
		name, rep.Documents, size, rep.Questions, rep.Added, rep.Changed, rep.Removed, took.Seconds())
	for i, warning := range rep.Warnings {
		if i == 5 {
			fmt.Fprintf(w, "  … and %d more: ragbench sql warnings\n", len(rep.Warnings)-i)
			break
		}
		fmt.Fprintf(w, "  warning: %s\n", warning.Message)
	}
}
