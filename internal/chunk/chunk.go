// Package chunk cuts documents into the units that are indexed and retrieved: the step between loading and indexing.
// A chunker only answers where the spans are. The shared base turns spans into chunks, so that all chunkers keep the
// same promises: no chunk is empty or blank, offsets reproduce the text, no cut falls inside a character as a reader
// sees it, every cut moves forward, and the same input gives the same keys.
package chunk

import (
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/text/tokens"
)

// Default is the chunker used where none is named.
const Default = "token"

// Build makes a chunker for a recipe that has been validated, with the tokenizer it names and the models there are.
type Build func(r Recipe, t tokens.Tokenizer, m Models) rag.Chunker

// All lists the chunkers in reading order. The defaults in Options are the defaults: Parse reads them from here.
var All = spec.Table[Build]{
	{
		Name:  "fixed_char",
		Title: "windows of characters",
		Doc: "Slides a window of chunk_size code points along the document, advancing by chunk_size - chunk_overlap. " +
			"Predictable and fast; cuts words and sentences.",
		Options: options("1200", "150", "code points"),
		New:     func(r Recipe, _ tokens.Tokenizer, _ Models) rag.Chunker { return FixedChar{r.Size, r.Overlap} },
	},
	{
		Name:  "word",
		Title: "windows of words",
		Doc: "Slides a window of chunk_size whitespace-separated words. In scripts that put no spaces between words " +
			"each character counts as a word, and a run of more than 128 characters counts as several, so that any " +
			"text is split.",
		Options: options("500", "80", "words"),
		New:     func(r Recipe, _ tokens.Tokenizer, _ Models) rag.Chunker { return Word{r.Size, r.Overlap} },
	},
	{
		Name:  "token",
		Title: "windows of model tokens",
		Doc: "Slides a window of chunk_size tokens of the named tokenizer: the unit that models are limited by and " +
			"charge for, which matters for code, figures and languages other than English. A chunk taken alone may " +
			"count a few tokens more or fewer than its window, since the text around it is gone.",
		Options: options("500", "80", "tokens"),
		New:     func(r Recipe, t tokens.Tokenizer, _ Models) rag.Chunker { return Token{r.Size, r.Overlap, t} },
	},
	{
		Name:  "recursive",
		Title: "natural breaks, widest first",
		Doc: "Splits what is longer than chunk_size at blank lines, pieces still too long at line ends, then after full " +
			"stops (\". \" and those of Chinese and Japanese), then at spaces, and at last into windows of tokens; a break stays " +
			"with the piece before it. Neighbouring pieces are packed up to chunk_size. The overlap is whole pieces where " +
			"they fit, else the last tokens.",
		Options: options("500", "80", "tokens", minSize("1")),
		New: func(r Recipe, t tokens.Tokenizer, _ Models) rag.Chunker {
			return Recursive{r.Size, r.Overlap, r.MinSize, t}
		},
	},
	{
		Name:  "sentence",
		Title: "whole sentences",
		Doc: "Packs whole sentences up to chunk_size tokens; chunk_overlap counts sentences. A sentence ends after . ! ? " +
			"before an opener, after the full stops of scripts without capitals, and at a blank line, but not after an " +
			"abbreviation or an initial. A sentence longer than chunk_size is split by tokens.",
		Options: options("500", "1", "tokens", sentenceOverlap("1"), minSize("1")),
		New: func(r Recipe, t tokens.Tokenizer, _ Models) rag.Chunker {
			return Sentence{r.Size, r.Overlap, r.MinSize, t}
		},
	},
	{
		Name:  "semantic",
		Title: "cut where the topic moves",
		Doc: "Embeds every sentence and begins a new group after each whose cosine distance to the next exceeds " +
			"breakpoint_percentile of the document's distances; each group is packed up to chunk_size tokens. A document of " +
			"fewer than three sentences is one group. The embeddings are paid once, at ingestion, and booked there.",
		Cite: "Kamradt, 5 Levels of Text Splitting, level 4",
		Options: options("500", "0", "tokens", sentenceOverlap("0"), spec.Option{Name: "breakpoint_percentile", Default: "90.0",
			Doc: "Share of neighbouring sentences, in percent from 0 to 100, that must be closer than those a cut separates."}, minSize("1")),
		New: func(r Recipe, t tokens.Tokenizer, m Models) rag.Chunker {
			return Semantic{r.Size, r.Overlap, r.MinSize, r.Percentile, t, m}
		},
	},
	{
		Name:  "markdown",
		Title: "one chunk a section",
		Doc: "Cuts at the headings of Markdown (CommonMark; a # inside a fence is none) and keeps the path of headings as " +
			"metadata heading_path. Sections below min_chunk_size are folded into the next while the sum fits, and listed in " +
			"merged_headings. A section above chunk_size is split as recursive does, but fences, tables and front matter stay " +
			"whole where they fit. chunk_overlap counts within such a section.",
		Options: options("500", "80", "tokens", minSize("50"), prefixHeading("false", "the path of headings, such as Guide > Returns,")),
		New: func(r Recipe, t tokens.Tokenizer, _ Models) rag.Chunker {
			return Markdown{r.Size, r.Overlap, r.MinSize, r.PrefixHeading, t}
		},
	},
	{
		Name:  "chunklet",
		Title: "about three statements",
		Doc: "Groups sentences by dynamic programming at the least cost: a chunk should begin where Markdown begins a heading, " +
			"a quote, a paragraph or a list, and say about three statements, where a statement is a sentence of usual length " +
			"for the document. chunk_size is a hard limit in characters.",
		Cite:    "RAGLite, github.com/superlinear-ai/raglite, _split_chunklets",
		Options: append([]spec.Option{characters}, shared...),
		New:     func(r Recipe, _ tokens.Tokenizer, _ Models) rag.Chunker { return Chunklet{r.Size} },
	},
	{
		Name:  "raglite",
		Title: "chunklets joined by meaning, under their headings",
		Doc: "Embeds the chunklets of a document and joins them into chunks of at most chunk_size characters, cut where " +
			"neighbours are least alike once what all have in common is taken out; cuts before headings are preferred, cuts " +
			"behind them avoided. The headings in force are kept as metadata headings and go before the text. The embeddings " +
			"are paid once, at ingestion, and booked there.",
		Cite:    "RAGLite, github.com/superlinear-ai/raglite, _split_chunks",
		Options: append([]spec.Option{characters, prefixHeading("true", "the lines of the headings in force")}, shared...),
		New: func(r Recipe, _ tokens.Tokenizer, m Models) rag.Chunker {
			return RAGLite{r.Size, r.PrefixHeading, m}
		},
	},
	{
		Name:    "document",
		Title:   "whole documents",
		Doc:     "One chunk a document, whatever its length: the setting of published document retrieval figures.",
		Options: shared,
		New:     func(Recipe, tokens.Tokenizer, Models) rag.Chunker { return Document{} },
	},
}

// shared are the options that every chunker has.
var shared = []spec.Option{
	{Name: "prefix_title", Default: "false", Doc: "Put the document's title and a blank line before the text of each chunk, so that it is searched and read with it."},
	{Name: "tokenizer", Default: tokens.Default, Doc: "What counts the tokens of a chunk: o200k_base (exact) or approx (an estimate)."},
}

// characters is the size of the chunkers of RAGLite, which have no overlap.
var characters = spec.Option{Name: "chunk_size", Default: "2048", Doc: "Greatest length of a chunk in code points, at least 1."}

// options lists the size and overlap of a chunker, what else it has, and what all have. One of more called
// chunk_overlap takes the place of the usual one.
func options(size, overlap, unit string, more ...spec.Option) []spec.Option {
	list := []spec.Option{
		{Name: "chunk_size", Default: size, Doc: "Length of a chunk in " + unit + ", at least 1."},
		{Name: "chunk_overlap", Default: overlap, Doc: "How many " + unit + " of a chunk repeat in the next; less than chunk_size."},
	}
	for _, o := range more {
		if o.Name == "chunk_overlap" {
			list[1] = o
		} else {
			list = append(list, o)
		}
	}
	return append(list, shared...)
}

func sentenceOverlap(def string) spec.Option {
	return spec.Option{Name: "chunk_overlap", Default: def, Doc: "How many whole sentences of a chunk repeat in the next, as far as they fit."}
}

func minSize(def string) spec.Option {
	return spec.Option{Name: "min_chunk_size", Default: def, Doc: "Tokens below which a chunk is folded into a neighbour while the sum fits chunk_size; 1 folds none."}
}

func prefixHeading(def, what string) spec.Option {
	return spec.Option{Name: "prefix_heading", Default: def, Doc: "Put " + what + " and a blank line before the text of each chunk, so that it is searched and read with it."}
}
