package systems_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ragbench/internal/dataset"
	"ragbench/internal/rag"
	"ragbench/internal/ragtest"
	"ragbench/internal/store"
	"ragbench/internal/systems"
)

// shared stores a dataset of the shared data with its labels, or skips the test.
func shared(t *testing.T, f *ragtest.File, name string) rag.Corpus {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared", "data", name)
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the shared data is not here: %v", err)
	}
	ctx := context.Background()
	src, err := dataset.Open(dataset.Paths{Root: root, Split: "test"})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := f.DB.PutDataset(ctx, store.DatasetInput{
		Name: name, Source: "a test", Now: "2026-01-01T00:00:00Z",
		Documents: func(yield func(rag.Document) error) error {
			_, err := src.Documents(ctx, yield)
			return err
		},
		Questions: func(map[string]bool) ([]rag.Question, []rag.Qrel, []rag.Warning, error) { return src.Questions(ctx) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := f.DB.Dataset(ctx, rep.DatasetID)
	if err != nil {
		t.Fatal(err)
	}
	return ds.Corpus()
}

// TestAdapterOnSciFact trains on half of SciFact's questions with hashed words as vectors and wants the recall of the
// other half to rise, as docs say it does. It trains twice, for the same matrix; a system with the option then uses it.
func TestAdapterOnSciFact(t *testing.T) {
	if testing.Short() {
		t.Skip("embeds 5,183 documents")
	}
	ctx := context.Background()
	f := ragtest.Open(t)
	corpus := shared(t, f, "scifact")
	m := ragtest.NewModels(t, f)
	const entry = "{type: raglite, chunker: {type: document}, query_adapter: true}"
	adapted := ragtest.Build(t, f, m, entry)
	if _, err := adapted.Ingest(ctx, corpus); err == nil || !strings.Contains(err.Error(), "ragbench adapt") {
		t.Errorf("an adapter that is not trained: got error %v, want one that says what to type", err)
	}
	sys := ragtest.Build(t, f, m, "{type: raglite, chunker: {type: document}}")
	if _, err := sys.Ingest(ctx, corpus); err != nil {
		t.Fatal(err)
	}
	o := systems.AdapterOptions{TopK: 40, Gap: 0.05, Max: 4096, HoldOut: true, K: 10}
	rep, err := systems.TrainAdapter(ctx, sys, corpus, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("trained on %d, skipped %d; recall@10 of %d others: %.4f without, %.4f with (%d better, %d worse)",
		rep.Adapter.Trained, rep.Adapter.Skipped, rep.HeldOut, rep.Before, rep.After, rep.Better, rep.Worse)
	if rep.HeldOut != 150 || rep.After <= rep.Before {
		t.Errorf("got recall %v after %v on %d questions, want more on 150", rep.After, rep.Before, rep.HeldOut)
	}
	again, err := systems.TrainAdapter(ctx, sys, corpus, o)
	if err != nil || string(again.Adapter.Matrix) != string(rep.Adapter.Matrix) {
		t.Errorf("trained again: got another matrix or error %v", err)
	}
	if _, err := adapted.Ingest(ctx, corpus); err != nil {
		t.Errorf("a trained adapter: %v", err)
	}
	if _, err := systems.TrainAdapter(ctx, ragtest.Build(t, f, m, "vector"), corpus, o); err == nil {
		t.Error("a system without an adapter: got no error")
	}
}
