package model

import (
	"context"
	"encoding/json"
	"fmt"

	"ragbench/internal/rag"
)

// EmbedLog is an embedding model behind the log.
type EmbedLog struct {
	log *Log
	p   EmbedProvider
	id  Identity
}

// Embedder puts an embedding model behind the log.
func (l *Log) Embedder(p EmbedProvider) *EmbedLog {
	l.admit(p.Identity(), p)
	return &EmbedLog{l, p, p.Identity()}
}

// Ref returns the full model reference.
func (e *EmbedLog) Ref() string { return e.id.Ref }

// Info returns the vector space; see rag.Embedder.
func (e *EmbedLog) Info() rag.EmbedderInfo { return e.p.Info() }

// With returns the model with its calls recorded in rec; see ChatLog.With.
func (e *EmbedLog) With(rec *Recorder) rag.Embedder { return recordedEmbedder{e, rec} }

type recordedEmbedder struct {
	*EmbedLog
	rec *Recorder
}

var _ rag.Embedder = recordedEmbedder{}

// embedResponse is the JSON of a stored embedding reply: the vectors themselves are in the vector blocks.
type embedResponse struct {
	Vectors   int    `json:"vectors"`
	Dims      int    `json:"dims"`
	Counted   int    `json:"counted_tokens"`      // as counted here; far above the reported number where a server cuts texts
	Truncated []int  `json:"truncated,omitempty"` // which texts were cut, from 0
	Served    string `json:"served,omitempty"`
	Estimated bool   `json:"estimated_usage,omitempty"`
}

// Embed implements rag.Embedder. The texts are sent in batches within the provider's limits, one record each; the
// reply's Call adds them up and bears the number of the first.
//
// The vectors of questions, and of a text that is alone, are kept with the call, so that a replay needs no model. Those
// of passages are not: whoever builds an index keeps them by the hash of the text. Questions are embedded again each
// time, as the time it takes is part of what is measured, unless the log says otherwise.
func (e recordedEmbedder) Embed(ctx context.Context, req rag.EmbedRequest) (rag.EmbedReply, error) {
	var reply rag.EmbedReply
	maxTexts, maxBytes := e.p.Limits()
	for start := 0; start < len(req.Texts); {
		end := batchEnd(req.Texts, start, maxTexts, maxBytes)
		part := rag.EmbedRequest{Texts: req.Texts[start:end], Query: req.Query}
		res, call, err := e.batch(ctx, part)
		if start == 0 {
			reply.Call = call
		} else {
			reply.Call = addCalls(reply.Call, call)
		}
		if err != nil {
			return rag.EmbedReply{Call: reply.Call}, fmt.Errorf("embed with %s: %w", e.id.Ref, err)
		}
		if start == 0 {
			reply.Vectors, reply.Tokens, reply.Truncated = res.Vectors, res.Tokens, res.Truncated
		} else {
			reply.Vectors = append(reply.Vectors, res.Vectors...)
			reply.Tokens = append(reply.Tokens, res.Tokens...)
			reply.Truncated = append(reply.Truncated, res.Truncated...)
		}
		start = end
	}
	return reply, nil
}

func batchEnd(texts []string, start, maxTexts, maxBytes int) int {
	end, size := start, 0
	for end < len(texts) {
		size += len(texts[end])
		if end > start && (maxTexts > 0 && end-start >= maxTexts || maxBytes > 0 && size > maxBytes) {
			break
		}
		end++
	}
	return end
}

func (e recordedEmbedder) batch(ctx context.Context, req rag.EmbedRequest) (EmbedResult, rag.Call, error) {
	params := e.p.Params(req)
	r := &Record{Kind: "embedding", Purpose: "embed_passages", Key: embedKey(e.id, params, &req)}
	if req.Query {
		r.Purpose = "embed_query"
		ms := make([]rag.Message, len(req.Texts))
		for i, t := range req.Texts {
			ms[i] = rag.Message{Role: "user", Parts: []string{t}}
		}
		r.Parts = messageParts(ms)
	}
	r.Request = requestJSON(params, intParam("texts", len(req.Texts)))
	keep := (req.Query || len(req.Texts) == 1) && !e.id.Mock
	reuse := keep && (!req.Query || e.log.opts.Queries)
	out, cached, err := e.log.answer(ctx, r, e.id, reuse, func() (outcome, error) { return e.call(ctx, req) })
	if err == nil && len(out.vectors) != len(req.Texts) {
		err = fmt.Errorf("%w: the vectors of %d texts are kept in an index, and the file has none", rag.ErrNotStored, len(req.Texts))
	}
	res := EmbedResult{Vectors: out.vectors, Tokens: out.tokens, Truncated: out.truncated}
	if err == nil && cached && res.Truncated == nil {
		res.Truncated, err = truncated(out.response, len(res.Vectors))
	}
	if !keep {
		out.vectors, out.tokens = nil, nil
	}
	call, err := e.log.finish(ctx, e.rec, r, e.id, out, cached, err)
	return res, call, err
}

// call sends one batch.
func (e recordedEmbedder) call(ctx context.Context, req rag.EmbedRequest) (outcome, error) {
	est := 0
	for _, t := range req.Texts {
		est += len(t) / 4
	}
	var res EmbedResult
	out, err := e.log.send(ctx, e.id, est, func(ctx context.Context) (err error) {
		res, err = e.p.SendEmbed(ctx, req)
		return err
	})
	if err != nil {
		return out, err
	}
	out.status, out.usage, out.vectors, out.tokens, out.truncated = "ok", res.Usage, res.Vectors, res.Tokens, res.Truncated
	out.response, err = e.response(&res)
	return out, err
}

func (e recordedEmbedder) response(res *EmbedResult) (string, error) {
	body := embedResponse{
		Vectors: len(res.Vectors), Dims: e.p.Info().Dims,
		Served: e.log.servedName(&e.id, res.Served), Estimated: res.Usage.Estimated,
	}
	for i, n := range res.Tokens {
		body.Counted += n
		if res.Truncated[i] {
			body.Truncated = append(body.Truncated, i)
		}
	}
	b, err := json.Marshal(body)
	if err != nil {
		return "", fmt.Errorf("encode reply: %w", err) // unreachable: strings and numbers only
	}
	return string(b), nil
}

// truncated reads from a stored reply which of n texts were cut.
func truncated(response string, n int) ([]bool, error) {
	var body embedResponse
	if err := json.Unmarshal([]byte(response), &body); err != nil {
		return nil, fmt.Errorf("read stored call: %w", err)
	}
	list := make([]bool, n)
	for _, i := range body.Truncated {
		if i >= 0 && i < n {
			list[i] = true
		}
	}
	return list, nil
}

// addCalls adds b to a, which keeps its number.
func addCalls(a, b rag.Call) rag.Call {
	a.PromptTokens += b.PromptTokens
	a.CompletionTokens += b.CompletionTokens
	a.CachedTokens += b.CachedTokens
	a.ReasoningTokens += b.ReasoningTokens
	a.Cost = a.Cost.Plus(b.Cost)
	a.LatencyMS += b.LatencyMS
	a.Cached = a.Cached && b.Cached
	return a
}
