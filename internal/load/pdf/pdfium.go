package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// memoryPages bounds the sandbox: pages of 64 KiB.
const memoryPages = 512 << 20 >> 16

// compiled keeps the compiled code between the engines of a process that names no folder for it.
var compiled = sync.OnceValue(wazero.NewCompilationCache)

// pdfiumEngine makes a new sandbox for every file, so that no file finds what another left.
type pdfiumEngine struct{ pool pdfium.Pool }

func newPDFium(ctx context.Context, o Options) (Engine, error) {
	cache := compiled()
	if o.CacheDir != "" {
		kept, err := wazero.NewCompilationCacheWithDir(o.CacheDir)
		if err == nil { // a folder that cannot be written costs time and nothing else
			cache = kept
		}
	}
	pool, err := webassembly.Init(webassembly.Config{
		Context:  ctx,
		MaxTotal: 1,
		Stdout:   io.Discard,
		Stderr:   io.Discard,
		FSConfig: wazero.NewFSConfig(),
		RuntimeConfig: wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
			WithMemoryLimitPages(memoryPages).
			WithCloseOnContextDone(true).
			WithCompilationCache(cache),
	})
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	return &pdfiumEngine{pool}, nil
}

// Close frees the compiled code.
func (e *pdfiumEngine) Close() error { return e.pool.Close() }

// Read takes the text in the order of PDFium's text pages, which follow the columns of the page.
func (e *pdfiumEngine) Read(ctx context.Context, data []byte) (*File, error) {
	box, err := e.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	// What closing a sandbox reports is no concern of the file that was read in it.
	defer func() { _ = box.Close() }()
	f, err := readPDFium(ctx, box, data)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return f, err
}

func readPDFium(ctx context.Context, box pdfium.Pdfium, data []byte) (*File, error) {
	open, err := box.OpenDocument(&requests.OpenDocument{File: &data})
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword), errors.Is(err, pdfiumerrors.ErrSecurity):
		return nil, ErrEncrypted
	case err != nil:
		return nil, fmt.Errorf("%w: %v", ErrBroken, err)
	}
	doc := open.Document
	n, err := box.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc})
	if err != nil {
		return nil, fmt.Errorf("%w: count its pages: %v", ErrBroken, err)
	}
	f := &File{Title: metaText(box, doc, "Title"), Author: metaText(box, doc, "Author")}
	for i := range n.PageCount {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p, err := readPage(box, doc, i)
		if err != nil {
			return nil, fmt.Errorf("%w: page %d: %v", ErrBroken, i+1, err)
		}
		f.Pages = append(f.Pages, p)
	}
	tidy(f.Pages)
	return f, nil
}

func readPage(box pdfium.Pdfium, doc references.FPDF_DOCUMENT, i int) (p Page, err error) {
	load, err := box.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: i})
	if err != nil {
		return p, err
	}
	defer func() {
		if _, cerr := box.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: load.Page}); err == nil {
			err = cerr
		}
	}()
	page := requests.Page{ByReference: &load.Page}
	t, err := box.GetPageText(&requests.GetPageText{Page: page})
	if err != nil {
		return p, err
	}
	p.Text = t.Text
	count, err := box.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: page})
	if err != nil {
		return p, err
	}
	for j := range count.Count {
		object, err := box.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: page, Index: j})
		if err != nil {
			return p, err
		}
		kind, err := box.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: object.PageObject})
		if err != nil {
			return p, err
		}
		if kind.Type == enums.FPDF_PAGEOBJ_IMAGE || kind.Type == enums.FPDF_PAGEOBJ_FORM {
			p.Images = true
			break
		}
	}
	return p, nil
}

// metaText is an entry of the file's own description, or "".
func metaText(box pdfium.Pdfium, doc references.FPDF_DOCUMENT, tag string) string {
	r, err := box.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: doc, Tag: tag})
	if err != nil {
		return ""
	}
	return r.Value
}
