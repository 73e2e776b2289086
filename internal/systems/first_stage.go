package systems

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/text"
	"ragbench/internal/trace"
)

// candidates documents how many chunks a first stage hands on.
func candidates(def, doc string) []spec.Option {
	return []spec.Option{{Name: "retrieval.candidate_top_k", Default: def, Doc: doc}}
}

// wordings returns what to search for a question: itself, and with multi_query its local variants.
func (e *Env) wordings(question string) []string {
	if e.Config.Retrieval.MultiQuery {
		return text.Variants(question, e.Config.Retrieval.MaxQueryVariants)
	}
	return []string{question}
}

// searchBoth embeds queries and has run search them in one statement over a lexical and a vector index. Each list
// becomes a step with the time its search took; the embedding belongs to the first vector search, the fusion and the
// reading of texts to the last.
func (e *Env) searchBoth(ctx context.Context, tr rag.Trace, queries []string, run func(vectors [][]byte) (lists, error)) (found lists, err error) {
	steps := make([]*rag.Step, 0, 2*len(queries))
	var dense []*rag.Step
	for _, q := range queries {
		lexical, endLexical := tr.Step(rag.StepRetrieve, "bm25_search", q)
		defer endLexical()
		vector, endVector := tr.Step(rag.StepRetrieve, "vector_search", q)
		defer endVector()
		steps, dense = append(steps, lexical, vector), append(dense, vector)
	}
	start := e.Now()
	vectors, err := e.embedQueries(ctx, queries, dense...)
	dense[0].Latency = e.Now().Sub(start)
	if err == nil {
		found, err = run(vectors)
	}
	rest := e.Now().Sub(start)
	if err != nil {
		steps[0].Error = err.Error()
		return found, err
	}
	for i := range queries {
		for j, leg := range []string{legName("bm25", i), legName("vector", i)} {
			step := steps[2*i+j]
			step.Output = trace.Chunks(found.legs[leg])
			step.Latency += max(found.elapsed[leg], 1)
			rest -= step.Latency
		}
	}
	steps[len(steps)-1].Latency += max(rest, 0)
	return found, nil
}

// queriesJSON lists queries as statements read them, vectors in hexadecimal.
func queriesJSON(queries []string, vectors [][]byte) (string, error) {
	list := make([]wording, len(queries))
	for i, q := range queries {
		list[i] = wording{i, q, hex.EncodeToString(vectors[i])}
	}
	b, err := json.Marshal(list)
	return string(b), err
}

// legName names the list of a search for the n-th wording; the question itself has no number.
func legName(search string, n int) string {
	if n == 0 {
		return search
	}
	return fmt.Sprintf("%s#%d", search, n)
}
