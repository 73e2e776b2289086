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

// Build makes a chunker for a recipe that has been validated, with the tokenizer it names.
type Build func(r Recipe, t tokens.Tokenizer) rag.Chunker

// All lists the chunkers in reading order. The defaults in Options are the defaults: Parse reads them from here.
var All = spec.Table[Build]{
	{
		Name:  "fixed_char",
		Title: "windows of characters",
		Doc: "Slides a window of chunk_size code points along the document, advancing by chunk_size - chunk_overlap. " +
			"Predictable and fast; cuts words and sentences.",
		Options: options("1200", "150", "code points"),
		New:     func(r Recipe, _ tokens.Tokenizer) rag.Chunker { return FixedChar{r.Size, r.Overlap} },
	},
	{
		Name:  "word",
		Title: "windows of words",
		Doc: "Slides a window of chunk_size whitespace-separated words. In scripts that put no spaces between words " +
			"each character counts as a word, and a run of more than 128 characters counts as several, so that any " +
			"text is split.",
		Options: options("500", "80", "words"),
		New:     func(r Recipe, _ tokens.Tokenizer) rag.Chunker { return Word{r.Size, r.Overlap} },
	},
	{
		Name:  "token",
		Title: "windows of model tokens",
		Doc: "Slides a window of chunk_size tokens of the named tokenizer: the unit that models are limited by and " +
			"charge for, which matters for code, figures and languages other than English. A chunk taken alone may " +
			"count a few tokens more or fewer than its window, since the text around it is gone.",
		Options: options("500", "80", "tokens"),
		New:     func(r Recipe, t tokens.Tokenizer) rag.Chunker { return Token{r.Size, r.Overlap, t} },
	},
	{
		Name:    "document",
		Title:   "whole documents",
		Doc:     "One chunk a document, whatever its length: the setting of published document retrieval figures.",
		Options: shared,
		New:     func(Recipe, tokens.Tokenizer) rag.Chunker { return Document{} },
	},
}

// shared are the options that every chunker has.
var shared = []spec.Option{
	{Name: "prefix_title", Default: "false", Doc: "Put the document's title and a blank line before the text of each chunk, so that it is searched and read with it."},
	{Name: "tokenizer", Default: tokens.Default, Doc: "What counts the tokens of a chunk: o200k_base (exact) or approx (an estimate)."},
}

func options(size, overlap, unit string) []spec.Option {
	return append([]spec.Option{
		{Name: "chunk_size", Default: size, Doc: "Length of a chunk in " + unit + ", at least 1."},
		{Name: "chunk_overlap", Default: overlap, Doc: "How many " + unit + " of a chunk repeat in the next; less than chunk_size."},
	}, shared...)
}
