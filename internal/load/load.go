// Package load reads documents from files: the first step of the flow. One file a format. Documents are streamed in a
// fixed order and never held together; what is passed over, and every doubt about a file, is reported as a warning.
package load

import (
	"context"
	"fmt"

	"ragbench/internal/load/pdf"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
)

// Loader reads the documents of one file. It fills in ID, Title, Text and what else it knows; Source, MediaType and
// Encoding are filled in behind it where it leaves them empty. Errors name the line where there is one; the path is
// added by the caller. An error of yield must be returned as it is.
type Loader func(ctx context.Context, f *File, yield func(rag.Document) error) error

// Format is how one kind of file is read.
type Format struct {
	Extensions []string // lower-case, with the dot
	MediaType  string
	Rows       bool // holds many documents: the limit of size applies to each row, not to the file
	Load       Loader
}

// Options are the rules of a walk. The zero value reads everything that has a loader and stops at the first error.
type Options struct {
	MaxFileMB float64  // of 1,048,576 bytes; 0 means 25; larger files are passed over, larger rows are errors
	OnError   string   // raise ("" too) stops at the first file or row that cannot be read; skip reports it and goes on
	Include   []string // patterns; empty means all
	Exclude   []string // patterns; they win over Include
	Tabular   Tabular
	PDF       pdf.Options
}

// DefaultMaxFileMB is the limit where none is given.
const DefaultMaxFileMB = 25

// Validate checks the options without reading anything.
func (o Options) Validate() error {
	if o.MaxFileMB < 0 {
		return fmt.Errorf("max_file_mb must not be negative, got %g", o.MaxFileMB)
	}
	if o.OnError != "" && o.OnError != "raise" && o.OnError != "skip" {
		return spec.Unknown("value of on_error", o.OnError, []string{"raise", "skip"})
	}
	if o.PDF.Engine != "" {
		if _, err := pdf.Engines.Find("PDF engine", o.PDF.Engine); err != nil {
			return err
		}
	}
	_, err := newMatcher(o)
	return err
}

// maxBytes is the limit in bytes.
func (o Options) maxBytes() int64 {
	if o.MaxFileMB == 0 {
		return DefaultMaxFileMB << 20
	}
	return int64(o.MaxFileMB * (1 << 20))
}
