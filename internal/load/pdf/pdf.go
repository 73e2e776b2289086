// Package pdf takes the text of PDF files, page by page. Two engines do it: PDFium, compiled to WebAssembly and run in a
// sandbox without files, clock or network (the default), and poppler's pdftotext where it is installed.
package pdf

import (
	"context"
	"errors"

	"ragbench/internal/spec"
)

// Why a file cannot be read.
var (
	ErrEncrypted = errors.New("the PDF is encrypted and wants a password")
	ErrBroken    = errors.New("the PDF is broken")
)

// Page is what is on one page.
type Page struct {
	Text   string // lines end in LF
	Images bool   // it shows pictures, so a page without text is a scan and no blank page
}

// File is the content of a PDF.
type File struct {
	Title, Author string // as the file states them
	Pages         []Page
}

// Engine reads PDFs, one at a time.
type Engine interface {
	// Read takes the text of a whole PDF. The empty password is tried on an encrypted one. The error is ErrEncrypted,
	// ErrBroken, of the context, or that of an engine that does not run.
	Read(ctx context.Context, data []byte) (*File, error)
	Close() error
}

// Options choose and limit an engine.
type Options struct {
	Engine   string // a name of Engines; "" means pdfium
	CacheDir string // where compiled code is kept from one process to the next; "" means nowhere
}

// Engines lists what reads PDFs.
var Engines = spec.Table[func(context.Context, Options) (Engine, error)]{
	{
		Name:  "pdfium",
		Title: "PDFium in WebAssembly",
		Doc: "The library of Chromium, run in a sandbox of at most 512 MiB that sees neither files nor network. Nothing has to be " +
			"installed. Its code is compiled when the first PDF of a folder is met, which takes seconds, and once a machine.",
		New: newPDFium,
	},
	{
		Name:  "pdftotext",
		Title: "poppler's pdftotext",
		Doc:   "The program pdftotext of the poppler tools, which must be installed. It does not tell a scanned page from a blank one.",
		New:   newPoppler,
	},
}

// Open starts the engine that o names.
func Open(ctx context.Context, o Options) (Engine, error) {
	if o.Engine == "" {
		o.Engine = Engines[0].Name
	}
	e, err := Engines.Find("PDF engine", o.Engine)
	if err != nil {
		return nil, err
	}
	return e.New(ctx, o)
}
