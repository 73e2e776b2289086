package systems

import (
	"context"
	"fmt"
	"slices"

	"ragbench/internal/rag"
	"ragbench/internal/vec"
)

// AdapterOptions say how a query adapter is trained.
type AdapterOptions struct {
	TopK    int     // chunks searched for each question; RAGLite's default is 40
	Gap     float64 // by how much a relevant chunk is to be nearer than another; 0.05
	Max     int     // questions at most; 4096
	HoldOut bool    // train on every second question and measure on the others
	K       int     // cut-off of the recall that is reported
}

// AdapterReport says what training did.
type AdapterReport struct {
	Adapter *Adapter
	HeldOut int     // questions measured
	Before  float64 // mean Recall@K of vector search over them, without the adapter
	After   float64 // with it
	Better  int     // questions whose recall rose
	Worse   int     // questions whose recall fell
}

// labelled is a question with the documents that are relevant to it, and its vector.
type labelled struct {
	text     string
	relevant map[string]bool
	vector   []float32
}

// TrainAdapter learns the query adapter of a system of type raglite that has ingested c, from the labels of the dataset,
// and keeps it in the file. A search finds the nearest TopK chunks of each question; those of relevant documents are to be
// nearer than the others.
func TrainAdapter(ctx context.Context, sys rag.System, c rag.Corpus, o AdapterOptions) (rep AdapterReport, err error) {
	s, ok := sys.(*raglite)
	if !ok {
		return rep, fmt.Errorf("train a query adapter: only systems of type raglite take one")
	}
	questions, err := s.labels(ctx, c.DatasetID)
	if err != nil {
		return rep, fmt.Errorf("read the labels: %w", err)
	}
	train, held := questions, []labelled(nil)
	if o.HoldOut {
		train = nil
		for i, q := range questions {
			if i%2 == 0 {
				train = append(train, q)
			} else {
				held = append(held, q)
			}
		}
	}
	train = train[:min(o.Max, len(train))]
	if err := s.embedLabelled(ctx, train, held); err != nil {
		return rep, err
	}
	var examples []example
	for _, q := range train {
		x, err := s.exampleOf(ctx, q, o.TopK)
		if err != nil {
			return rep, err
		}
		examples = append(examples, x)
	}
	dims := 0
	if len(train) > 0 {
		dims = len(train[0].vector)
	}
	if rep.Adapter, err = fit(ctx, dims, examples, o.Gap); err != nil {
		return rep, fmt.Errorf("train the query adapter on %d questions: %w", len(train), err)
	}
	rep.Adapter.TopK = o.TopK
	if err := s.measure(ctx, held, o.K, &rep); err != nil {
		return rep, err
	}
	return rep, s.saveAdapter(ctx, rep.Adapter)
}

// embedLabelled gives each question its vector; one without direction keeps none.
func (s *raglite) embedLabelled(ctx context.Context, sets ...[]labelled) error {
	for _, set := range sets {
		for batch := range slices.Chunk(set, embedBatch) {
			texts := make([]string, len(batch))
			for i, q := range batch {
				texts[i] = q.text
			}
			reply, err := s.Embedder.Embed(ctx, rag.EmbedRequest{Texts: texts, Query: true})
			if err != nil {
				return fmt.Errorf("embed the questions: %w", err)
			}
			for i := range batch {
				batch[i].vector = reply.Vectors[i]
			}
			if err := s.keepCalls(ctx, []rag.Call{reply.Call}); err != nil {
				return err
			}
		}
	}
	return nil
}

// exampleOf searches for a question and sorts what it finds by the labels.
func (s *raglite) exampleOf(ctx context.Context, q labelled, k int) (x example, err error) {
	x.query = q.vector
	ids, docs, err := s.nearest(ctx, q.vector, k)
	if err != nil {
		return x, err
	}
	rows, err := s.Search.Vectors(s.vectors, ids)
	if err != nil {
		return x, fmt.Errorf("read the vectors of chunks: %w", err)
	}
	for i, row := range rows {
		if q.relevant[docs[i]] {
			x.relevant = append(x.relevant, row)
		} else {
			x.others = append(x.others, row)
		}
	}
	return x, nil
}

// nearest searches the vectors and names the document of each chunk found.
func (s *raglite) nearest(ctx context.Context, v []float32, k int) (ids []int64, docs []string, err error) {
	if vec.Norm(v) == 0 {
		return nil, nil, nil
	}
	hits, err := s.Search.SearchVector(s.vectors, vec.Encode(v), k)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range hits {
		ids = append(ids, h.ChunkID)
	}
	docs, err = s.documentsOf(ctx, ids)
	return ids, docs, err
}

// measure compares the recall of vector search with and without the adapter. Ten chunks a document wanted are searched,
// so that documents of several chunks do not crowd others out.
func (s *raglite) measure(ctx context.Context, held []labelled, k int, rep *AdapterReport) error {
	recall := func(q labelled, v []float32) (float64, error) {
		_, docs, err := s.nearest(ctx, v, 10*k)
		if err != nil {
			return 0, err
		}
		found, seen := 0, map[string]bool{}
		for _, d := range docs {
			if len(seen) == k {
				break
			}
			if !seen[d] && q.relevant[d] {
				found++
			}
			seen[d] = true
		}
		return float64(found) / float64(len(q.relevant)), nil
	}
	for _, q := range held {
		turned, err := rep.Adapter.Turn(q.vector)
		if err != nil {
			return err
		}
		before, err := recall(q, q.vector)
		if err != nil {
			return err
		}
		after, err := recall(q, turned)
		if err != nil {
			return err
		}
		rep.HeldOut++
		rep.Before += before
		rep.After += after
		switch {
		case after > before:
			rep.Better++
		case after < before:
			rep.Worse++
		}
	}
	if rep.HeldOut > 0 {
		rep.Before /= float64(rep.HeldOut)
		rep.After /= float64(rep.HeldOut)
	}
	return nil
}
