package model

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/sashabaranov/go-openai"

	"ragbench/internal/rag"
)

const (
	embedBatch     = 256
	embedBatchSize = 600_000 // bytes a request: at 2 bytes a token and up, within OpenAI's 300,000 tokens
)

// openAIModels are the embedding models whose length and limit are known beforehand (OpenAI's model pages).
var openAIModels = map[string]struct{ dims, maxTokens int }{
	"text-embedding-3-small": {1536, 8192},
	"text-embedding-3-large": {3072, 8192},
	"text-embedding-ada-002": {1536, 8192},
}

// openAIEmbedder is an embedding model of OpenAI or of a compatible endpoint. A text over the limit (where it is known
// and tokens are counted, not estimated) is cut before sending and marked. Vectors are matched to texts by index and
// checked: their number, their length, no zero vector, no infinite or missing number.
type openAIEmbedder struct {
	ref       Ref
	id        Identity
	client    *openai.Client
	tokens    *counter
	info      rag.EmbedderInfo
	ask       int // dimensions sent; 0: none
	batch     int
	maxTokens int
	dims      atomic.Int64 // of the first reply
}

func openOpenAIEmbedder(r Ref, env Env) (EmbedProvider, error) {
	if r.Provider == "openai" && !isOpenAIEmbedding(r.Model) {
		return nil, unknownModelKind(r, "a chat model, not an embedding model")
	}
	client, id, err := openAIClient(r, env)
	if err != nil {
		return nil, err
	}
	e := &openAIEmbedder{ref: r, id: id, client: client, tokens: newCounter(env.Tokens), ask: env.Embed.Dims, batch: env.Embed.BatchSize}
	if e.batch <= 0 {
		e.batch = embedBatch
	}
	e.info = rag.EmbedderInfo{
		Provider: r.Provider, Model: r.Model, Dims: e.ask,
		Prefix: env.Embed.Prefix, QueryPref: env.Embed.QueryPrefix,
	}
	if r.Provider == "openai" {
		known := openAIModels[r.Model]
		e.info.Normalised, e.maxTokens = known.dims > 0, known.maxTokens
		if e.info.Dims == 0 {
			e.info.Dims = known.dims
		}
	} else {
		e.info.Model = r.Endpoint + "/" + r.Model
		e.info.Revision = id.BaseURL
		e.maxTokens = env.Endpoints[r.Endpoint].MaxInputTokens
	}
	if env.Tokens == nil {
		e.maxTokens = 0
	}
	e.dims.Store(int64(e.info.Dims))
	return e, nil
}

func isOpenAIEmbedding(model string) bool { return strings.Contains(model, "embedding") }

func unknownModelKind(r Ref, what string) error {
	return fmt.Errorf("model reference %q: it is %s", r, what)
}

func (e *openAIEmbedder) Identity() Identity { return e.id }

func (e *openAIEmbedder) Limits() (texts, bytes int) { return e.batch, embedBatchSize }

// Info implements EmbedProvider; Dims is 0 until the first reply of a model whose length is not known.
func (e *openAIEmbedder) Info() rag.EmbedderInfo {
	info := e.info
	info.Dims = int(e.dims.Load())
	return info
}

// Params implements EmbedProvider. The prefix is part of every text sent and is listed to be seen.
func (e *openAIEmbedder) Params(req rag.EmbedRequest) []Param {
	p := []Param{{"model", quoteJSON(e.ref.Model)}}
	if e.ask > 0 {
		p = append(p, intParam("dimensions", e.ask))
	}
	if prefix := prefixOf(e.info, req.Query); prefix != "" {
		p = append(p, Param{"prefix", quoteJSON(prefix)})
	}
	if e.maxTokens > 0 {
		p = append(p, intParam("max_input_tokens", e.maxTokens))
	}
	return p
}

// SendEmbed implements EmbedProvider.
func (e *openAIEmbedder) SendEmbed(ctx context.Context, req rag.EmbedRequest) (EmbedResult, error) {
	n := len(req.Texts)
	res := EmbedResult{Tokens: make([]int, n), Truncated: make([]bool, n)}
	input := make([]string, n)
	estimate := 0
	for i, t := range req.Texts {
		if strings.TrimSpace(t) == "" {
			return EmbedResult{}, &CallError{Message: fmt.Sprintf("text %d of %d is empty", i+1, n)}
		}
		input[i], res.Truncated[i] = e.cut(prefixOf(e.info, req.Query) + t)
		res.Tokens[i] = max(1, e.tokens.Count(input[i]))
		estimate += res.Tokens[i]
	}
	rep, err := e.client.CreateEmbeddings(ctx, openai.EmbeddingRequest{
		Input: input, Model: openai.EmbeddingModel(e.ref.Model), Dimensions: e.ask,
	})
	if err != nil {
		return EmbedResult{}, err
	}
	if err := checkServed(e.ref, string(rep.Model)); err != nil {
		return EmbedResult{}, err
	}
	if res.Vectors, err = e.match(rep.Data, n); err != nil {
		return EmbedResult{}, err
	}
	res.Served = string(rep.Model)
	res.Usage = TokenUsage{Prompt: rep.Usage.PromptTokens}
	if res.Usage.Prompt == 0 {
		res.Usage = TokenUsage{Prompt: estimate, Estimated: true}
	}
	return res, nil
}

// match puts the vectors in the order of the texts, by index, whatever the order of the reply.
func (e *openAIEmbedder) match(data []openai.Embedding, n int) ([][]float32, error) {
	if len(data) != n {
		return nil, &CallError{Message: fmt.Sprintf("the reply has %d vectors for %d texts", len(data), n)}
	}
	dims := int(e.dims.Load())
	if dims == 0 {
		dims = len(data[0].Embedding)
	}
	out := make([][]float32, n)
	for _, d := range data {
		if d.Index < 0 || d.Index >= n || out[d.Index] != nil {
			return nil, &CallError{Message: fmt.Sprintf("the reply has vector %d twice or out of range, for %d texts", d.Index, n)}
		}
		if err := checkVector(d.Index, d.Embedding, dims); err != nil {
			return nil, err
		}
		out[d.Index] = d.Embedding
	}
	if !e.dims.CompareAndSwap(0, int64(dims)) && int(e.dims.Load()) != dims {
		return nil, &CallError{Message: fmt.Sprintf("the reply has vectors of %d dimensions, the one before of %d", dims, e.dims.Load())}
	}
	return out, nil
}

func checkVector(i int, v []float32, dims int) error {
	if len(v) == 0 {
		return &CallError{Message: fmt.Sprintf("vector %d is empty", i)}
	}
	if len(v) != dims {
		return &CallError{Message: fmt.Sprintf("vector %d has %d dimensions, not %d", i, len(v), dims)}
	}
	zero := true
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return &CallError{Message: fmt.Sprintf("vector %d holds %v", i, x)}
		}
		zero = zero && x == 0
	}
	if zero {
		return &CallError{Message: fmt.Sprintf("vector %d is zero", i)}
	}
	return nil
}

// cut returns the longest start of text within the model's limit. A text of no more bytes than tokens allowed always
// is, as a token has at least one byte.
func (e *openAIEmbedder) cut(text string) (string, bool) {
	if e.maxTokens == 0 || len(text) <= e.maxTokens || e.tokens.Count(text) <= e.maxTokens {
		return text, false
	}
	lo, hi := 0, len(text) // text[:lo] fits, text[:hi] does not
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		end := mid
		for end > lo && !utf8.RuneStart(text[end]) {
			end--
		}
		if end == lo {
			end = mid
			for end < hi && !utf8.RuneStart(text[end]) {
				end++
			}
			if end == hi {
				break
			}
		}
		if e.tokens.Count(text[:end]) <= e.maxTokens {
			lo = end
		} else {
			hi = end
		}
	}
	return text[:lo], true
}
