package chunk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/text/tokens"
)

// Recipe says how documents are cut. Two equal recipes make the same chunks of the same document, so an index may be
// keyed by the recipe's JSON. Fields are taken as they are: Parse fills in defaults, a literal does not.
type Recipe struct {
	Chunker     string   // a name in All
	Size        int      // in the chunker's unit; 0 for a chunker without sizes
	Overlap     int      // in the chunker's unit
	PrefixTitle bool     // the title and a blank line go before each chunk's text
	Kind        rag.Kind // what the chunks are called; "" means chunk, or document for whole documents
	Tokenizer   string   // a name in tokens.All; "" means tokens.Default
}

// revision is raised when the same recipe begins to make other chunks, so that no index of the old kind is taken for
// one of the new.
const revision = 1

// Parse makes a recipe from a chunker's name ("" means Default) and options as a configuration file has them. Missing
// options get their defaults. An unknown option is an error that lists the valid ones; so are a wrong type and sizes
// that Validate refuses.
func Parse(name string, opts map[string]any) (Recipe, error) {
	if name == "" {
		name = Default
	}
	e, err := All.Find("chunker", name)
	if err != nil {
		return Recipe{}, err
	}
	names := optionNames(e)
	for _, k := range sortedKeys(opts) {
		if !slices.Contains(names, k) {
			return Recipe{}, spec.Unknown("option of chunker "+name, k, names)
		}
	}
	r := Recipe{Chunker: name}
	for _, o := range e.Options {
		v, ok := opts[o.Name]
		if !ok || v == nil {
			v = defaultOf(o)
		}
		if err := r.set(o.Name, v); err != nil {
			return Recipe{}, fmt.Errorf("chunker %s: %w", name, err)
		}
	}
	r = r.filled()
	return r, r.Validate()
}

// defaultOf is the default of o as a configuration file would give it.
func defaultOf(o spec.Option) any {
	if n, err := strconv.Atoi(o.Default); err == nil {
		return n
	}
	if b, err := strconv.ParseBool(o.Default); err == nil {
		return b
	}
	return o.Default
}

// set stores one option, which must have the option's type.
func (r *Recipe) set(name string, v any) error {
	ok := false
	want := "a whole number"
	switch name {
	case "chunk_size":
		r.Size, ok = asInt(v)
	case "chunk_overlap":
		r.Overlap, ok = asInt(v)
	case "prefix_title":
		want = "true or false"
		r.PrefixTitle, ok = v.(bool)
	case "tokenizer":
		want = "a name"
		r.Tokenizer, ok = v.(string)
	default:
		return fmt.Errorf("option %s is listed but not read", name)
	}
	if !ok {
		return fmt.Errorf("%s must be %s, got %v", name, want, v)
	}
	return nil
}

// asInt accepts what YAML and JSON decoders make of a whole number.
func asInt(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case int64:
		return int(n), true
	case uint64:
		return int(n), true
	case float64:
		return int(n), n == float64(int(n))
	}
	return 0, false
}

// Validate checks the recipe without reading any document: a known chunker and tokenizer, chunk_size of at least 1 and
// 0 <= chunk_overlap < chunk_size, and no size where the chunker has none.
func (r Recipe) Validate() error {
	e, err := All.Find("chunker", r.Chunker)
	if err != nil {
		return err
	}
	if _, err := tokens.All.Find("tokenizer", r.filled().Tokenizer); err != nil {
		return fmt.Errorf("chunker %s: %w", r.Chunker, err)
	}
	if !slices.Contains(optionNames(e), "chunk_size") {
		if r.Size != 0 || r.Overlap != 0 {
			return fmt.Errorf("chunker %s has no chunk_size or chunk_overlap, got %d and %d", r.Chunker, r.Size, r.Overlap)
		}
		return nil
	}
	if r.Size < 1 {
		return fmt.Errorf("chunker %s: chunk_size must be at least 1, got %d", r.Chunker, r.Size)
	}
	if r.Overlap < 0 || r.Overlap >= r.Size {
		return fmt.Errorf("chunker %s: chunk_overlap must be at least 0 and less than chunk_size %d, got %d", r.Chunker, r.Size, r.Overlap)
	}
	return nil
}

// filled returns r with the names that "" stands for.
func (r Recipe) filled() Recipe {
	if r.Tokenizer == "" {
		r.Tokenizer = tokens.Default
	}
	if r.Kind == "" {
		r.Kind = rag.KindChunk
		if r.Chunker == "document" {
			r.Kind = rag.KindDocument
		}
	}
	return r
}

// recipeJSON is the canonical form: fixed order, every option with its value.
type recipeJSON struct {
	Chunker  string   `json:"chunker"`
	Revision int      `json:"revision"`
	Kind     rag.Kind `json:"kind"`
	Size     *int     `json:"chunk_size,omitempty"`
	Overlap  *int     `json:"chunk_overlap,omitempty"`
	Prefix   bool     `json:"prefix_title"`
	Tokens   string   `json:"tokenizer"`
}

// MarshalJSON writes the canonical form: the same bytes for the same recipe, with every option the chunker has and its
// value, and the revision of the cutting rules.
func (r Recipe) MarshalJSON() ([]byte, error) {
	r = r.filled()
	j := recipeJSON{Chunker: r.Chunker, Revision: revision, Kind: r.Kind, Prefix: r.PrefixTitle, Tokens: r.Tokenizer}
	if r.Size != 0 {
		j.Size, j.Overlap = &r.Size, &r.Overlap
	}
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
	*r = Recipe{Chunker: j.Chunker, Kind: j.Kind, PrefixTitle: j.Prefix, Tokenizer: j.Tokens}
	if j.Size != nil && j.Overlap != nil {
		r.Size, r.Overlap = *j.Size, *j.Overlap
	}
	return r.Validate()
}

func optionNames(e *spec.Entry[Build]) []string {
	var names []string
	for _, o := range e.Options {
		names = append(names, o.Name)
	}
	return names
}
