package rag

// Cost is an amount in US dollars that may be unknown. An unknown price never counts as zero.
type Cost struct {
	USD     float64
	Unknown bool
}

// Plus adds two costs. The sum with an unknown cost is unknown.
func (c Cost) Plus(d Cost) Cost {
	return Cost{USD: c.USD + d.USD, Unknown: c.Unknown || d.Unknown}
}

// Usage is tokens and money by purpose (ragbench methodology: cost is booked by purpose, at standalone prices).
type Usage struct {
	EmbeddingTokens  int
	PromptTokens     int
	CompletionTokens int
	Embedding        Cost
	LLM              Cost
	Rerank           Cost
	QueryRewrite     Cost
	Tool             Cost
	Decision         Cost
}

// Plus adds two usages field by field.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		EmbeddingTokens:  u.EmbeddingTokens + v.EmbeddingTokens,
		PromptTokens:     u.PromptTokens + v.PromptTokens,
		CompletionTokens: u.CompletionTokens + v.CompletionTokens,
		Embedding:        u.Embedding.Plus(v.Embedding),
		LLM:              u.LLM.Plus(v.LLM),
		Rerank:           u.Rerank.Plus(v.Rerank),
		QueryRewrite:     u.QueryRewrite.Plus(v.QueryRewrite),
		Tool:             u.Tool.Plus(v.Tool),
		Decision:         u.Decision.Plus(v.Decision),
	}
}

// Total is the sum over all purposes; unknown when any part is.
func (u Usage) Total() Cost {
	return u.Embedding.Plus(u.LLM).Plus(u.Rerank).Plus(u.QueryRewrite).Plus(u.Tool).Plus(u.Decision)
}
