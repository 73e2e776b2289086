package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"ragbench/internal/config"
	"ragbench/internal/dataset"
	"ragbench/internal/rag"
	"ragbench/internal/store"
)

// storeDataset reads the dataset of a configuration into the file and says what it found.
func (a *app) storeDataset(ctx context.Context, f *file, d config.Dataset) (store.Dataset, store.DatasetReport, error) {
	src, err := dataset.Open(dataset.Paths{
		Dir: d.Path, Docs: d.Docs, Questions: d.Questions, Qrels: d.Qrels, Split: d.Split, OnlyJudged: d.OnlyJudged,
		MaxFileMB: d.MaxFileMB, OnError: d.OnError, Include: d.Include, Exclude: d.Exclude,
	})
	if err != nil {
		return store.Dataset{}, store.DatasetReport{}, err
	}
	start := a.now()
	rep, err := f.PutDataset(ctx, store.DatasetInput{
		Name:   d.Name,
		Source: src.Description(),
		Documents: func(yield func(rag.Document) error) error {
			return src.Documents(ctx, yield)
		},
		Questions: func(docs map[string]bool) ([]rag.Question, []rag.Qrel, []rag.Warning, error) {
			return src.Questions(ctx, docs)
		},
		Now: start.UTC().Format(time.RFC3339),
	})
	if err != nil {
		return store.Dataset{}, rep, err
	}
	describeDataset(a.Err, d.Name, rep, a.now().Sub(start))
	ds, err := f.Dataset(ctx, rep.DatasetID)
	return ds, rep, err
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
