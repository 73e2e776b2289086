package chunk

import (
	"encoding/json"
	"fmt"
	"slices"

	"ragbench/internal/rag"
)

// recipeJSON is the canonical form: fixed order, every option the chunker has with its value.
type recipeJSON struct {
	Chunker       string   `json:"chunker"`
	Revision      int      `json:"revision"`
	Kind          rag.Kind `json:"kind"`
	Size          *int     `json:"chunk_size,omitempty"`
	Overlap       *int     `json:"chunk_overlap,omitempty"`
	MinSize       *int     `json:"min_chunk_size,omitempty"`
	Percentile    *float64 `json:"breakpoint_percentile,omitempty"`
	PrefixTitle   bool     `json:"prefix_title"`
	PrefixHeading *bool    `json:"prefix_heading,omitempty"`
	Tokens        string   `json:"tokenizer"`
	Embedder      string   `json:"embedder,omitempty"`
}

// MarshalJSON writes the canonical form: the same bytes for the same recipe, with every option the chunker has and its
// value, and the revision of the cutting rules.
func (r Recipe) MarshalJSON() ([]byte, error) {
	e, err := All.Find("chunker", r.Chunker)
	if err != nil {
		return nil, err
	}
	r = r.filled()
	j := recipeJSON{Chunker: r.Chunker, Revision: revision, Kind: r.Kind, PrefixTitle: r.PrefixTitle, Tokens: r.Tokenizer, Embedder: r.Embedder}
	names := optionNames(e)
	j.Size = used(names, "chunk_size", &r.Size)
	j.Overlap = used(names, "chunk_overlap", &r.Overlap)
	j.MinSize = used(names, "min_chunk_size", &r.MinSize)
	j.Percentile = used(names, "breakpoint_percentile", &r.Percentile)
	j.PrefixHeading = used(names, "prefix_heading", &r.PrefixHeading)
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON wrote. A recipe of another revision is an error, since its chunks cannot be made
// again.
func (r *Recipe) UnmarshalJSON(b []byte) error {
	var j recipeJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return fmt.Errorf("read chunk recipe: %w", err)
	}
	if j.Revision != revision {
		return fmt.Errorf("read chunk recipe: revision %d, this version cuts by revision %d", j.Revision, revision)
	}
	*r = Recipe{
		Chunker: j.Chunker, Kind: j.Kind, PrefixTitle: j.PrefixTitle, Tokenizer: j.Tokens, Embedder: j.Embedder,
		Size: given(j.Size), Overlap: given(j.Overlap), MinSize: given(j.MinSize), Percentile: given(j.Percentile),
		PrefixHeading: given(j.PrefixHeading),
	}
	return r.Validate()
}

// used is v where the chunker has the option, else nil.
func used[T any](names []string, option string, v *T) *T {
	if slices.Contains(names, option) {
		return v
	}
	return nil
}

// given is what p points to, else the zero value.
func given[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
