package chunk

import (
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
	Chunker       string   // a name in All
	Size          int      // in the chunker's unit; 0 for a chunker without sizes
	Overlap       int      // in the chunker's unit
	MinSize       int      // tokens below which a chunk is folded into a neighbour; 0 and 1 fold none
	Percentile    float64  // of a document's distances, above which semantic cuts: 0 to 100
	PrefixTitle   bool     // the title and a blank line go before each chunk's text
	PrefixHeading bool     // so do the headings the chunk stands under
	Kind          rag.Kind // what the chunks are called; "" means chunk, or document for whole documents
	Tokenizer     string   // a name in tokens.All; "" means tokens.Default
	Embedder      string   // whose vectors decide the cuts, for a chunker that embeds; New sets it
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
	if f, err := strconv.ParseFloat(o.Default, 64); err == nil {
		return f
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
	case "min_chunk_size":
		r.MinSize, ok = asInt(v)
	case "breakpoint_percentile":
		want = "a number"
		r.Percentile, ok = asFloat(v)
	case "prefix_title":
		want = "true or false"
		r.PrefixTitle, ok = v.(bool)
	case "prefix_heading":
		want = "true or false"
		r.PrefixHeading, ok = v.(bool)
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

// asFloat accepts what they make of a number.
func asFloat(v any) (float64, bool) {
	if n, ok := asInt(v); ok {
		return float64(n), true
	}
	f, ok := v.(float64)
	return f, ok
}

// Validate checks the recipe without reading any document: a known chunker and tokenizer, chunk_size of at least 1,
// 0 <= chunk_overlap < chunk_size (except where the overlap counts sentences), a percentile from 0 to 100, and no value
// for an option that the chunker does not use.
func (r Recipe) Validate() error {
	e, err := All.Find("chunker", r.Chunker)
	if err != nil {
		return err
	}
	if _, err := tokens.All.Find("tokenizer", r.filled().Tokenizer); err != nil {
		return fmt.Errorf("chunker %s: %w", r.Chunker, err)
	}
	names := optionNames(e)
	has := func(option string) bool { return slices.Contains(names, option) }
	for _, o := range []struct {
		name  string
		given bool
	}{
		{"chunk_size", r.Size != 0}, {"chunk_overlap", r.Overlap != 0}, {"min_chunk_size", r.MinSize != 0},
		{"breakpoint_percentile", r.Percentile != 0}, {"prefix_heading", r.PrefixHeading},
	} {
		if o.given && !has(o.name) {
			return fmt.Errorf("chunker %s has no %s", r.Chunker, o.name)
		}
	}
	switch {
	case has("chunk_size") && r.Size < 1:
		return fmt.Errorf("chunker %s: chunk_size must be at least 1, got %d", r.Chunker, r.Size)
	case r.Overlap < 0 || has("chunk_overlap") && r.Overlap >= r.Size && !r.overlapsSentences():
		return fmt.Errorf("chunker %s: chunk_overlap must be at least 0 and less than chunk_size %d, got %d", r.Chunker, r.Size, r.Overlap)
	case r.MinSize < 0:
		return fmt.Errorf("chunker %s: min_chunk_size must be at least 0, got %d", r.Chunker, r.MinSize)
	case !(0 <= r.Percentile && r.Percentile <= 100):
		return fmt.Errorf("chunker %s: breakpoint_percentile must be from 0 to 100, got %v", r.Chunker, r.Percentile)
	}
	return nil
}

// overlapsSentences reports whether Overlap counts sentences, while Size counts tokens.
func (r Recipe) overlapsSentences() bool { return r.Chunker == "sentence" || r.Chunker == "semantic" }

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
	if e, err := All.Find("chunker", r.Chunker); err == nil && r.MinSize == 0 && slices.Contains(optionNames(e), "min_chunk_size") {
		r.MinSize = 1
	}
	return r
}

// Overlaps reports whether the chunker called name has a chunk_overlap.
func Overlaps(name string) bool {
	e, err := All.Find("chunker", name)
	return err == nil && slices.Contains(optionNames(e), "chunk_overlap")
}

func optionNames(e *spec.Entry[Build]) []string {
	var names []string
	for _, o := range e.Options {
		names = append(names, o.Name)
	}
	return names
}
