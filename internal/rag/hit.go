package rag

// Hit is one place in a ranked list.
type Hit struct {
	Chunk Chunk
	Score float64 // larger is better
	Rank  int     // from 1
	// Metadata carries what a system wants kept beside the hit, such as original_rank.
	Metadata map[string]string
}

// LegFinal is the leg that holds the ranking retrieval is scored on. Every other leg is one list that went into it.
const LegFinal = "final"

// Ranking is what retrieval returns: the final list and every list it was made from, all kept to depth so that
// fusion, weights and cut-offs can be changed offline.
type Ranking struct {
	Hits []Hit
	Legs []Leg
	// Unscored marks a ranking that retrieval metrics are to leave blank, as for no_retrieval.
	Unscored bool
	// Context holds the hits the generator reads when they are not simply the first context_k of Hits.
	Context  []Hit
	Metadata map[string]any
}

// Leg is one named list behind a ranking, such as bm25 or vector.
type Leg struct {
	Name string
	Hits []Hit
}
