package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ragbench/internal/load/pdf"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// Walk calls yield with every document below root, a folder or a single file, in the order of paths and, within a file,
// of rows. It holds one file at a time, or one row. Files and folders are opened below root only, so no link leads out
// of it. Two documents of one id are an error that names both places. An error of yield ends the walk and is returned
// as it is. The warnings are valid with an error too.
func Walk(ctx context.Context, root string, o Options, yield func(rag.Document) error) ([]rag.Warning, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	fsys, name, err := open(root)
	if err != nil {
		return nil, err
	}
	defer fsys.Close()
	return WalkFS(ctx, fsys.FS(), name, o, yield)
}

// open opens the folder root, or that of the file root, and returns the name of root in it. The root itself may be a
// link: the user named it.
func open(root string) (*os.Root, string, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, "", fmt.Errorf("open documents: %w", err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, "", fmt.Errorf("open documents: %w", err)
	}
	dir, name := real, "."
	if !info.IsDir() {
		dir, name = filepath.Split(real)
		dir = filepath.Clean(dir)
	}
	r, err := os.OpenRoot(dir)
	if err != nil {
		return nil, "", fmt.Errorf("open documents: %w", err)
	}
	return r, filepath.ToSlash(name), nil
}

// WalkFS is Walk on a file system, such as an embedded one; root is a path in it.
func WalkFS(ctx context.Context, fsys fs.FS, root string, o Options, yield func(rag.Document) error) ([]rag.Warning, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	w := newWalk(fsys, o, yield)
	defer w.close()
	skipped := skipped{}
	files, err := list(fsys, root, o, func(x rag.Warning) { skipped.add(&w.warn, x) })
	if err != nil {
		return w.warn.all(), err
	}
	skipped.close(&w.warn)
	w.files = files
	for i := range files {
		if err := w.read(ctx, i); err != nil {
			return w.warn.all(), err
		}
	}
	return w.warn.all(), nil
}

// skipped counts the files of formats without a loader, by extension; every other warning is passed on.
type skipped map[string]int

func (s skipped) add(w *warnings, x rag.Warning) {
	if x.Code != "skipped_format" {
		w.add(x)
		return
	}
	s[strings.ToLower(path.Ext(x.Subject))]++
}

func (s skipped) close(w *warnings) {
	for _, ext := range slices.Sorted(maps.Keys(s)) {
		subject := ext
		if subject == "" {
			subject = "(no extension)"
		}
		w.add(rag.Warning{Code: "skipped_format", Subject: subject, Message: fmt.Sprintf("%d files of a format without a loader", s[ext])})
	}
}

// walk is the state of one Walk.
type walk struct {
	fsys    fs.FS
	options Options
	files   []entry
	seen    map[string]place // by document id
	warn    warnings
	yield   func(rag.Document) error
	engine  pdf.Engine // nil until the first PDF
}

func newWalk(fsys fs.FS, o Options, yield func(rag.Document) error) *walk {
	return &walk{fsys: fsys, options: o, seen: map[string]place{}, yield: yield}
}

// pdf starts the engine that reads PDFs, once.
func (w *walk) pdf(ctx context.Context) (pdf.Engine, error) {
	if w.engine != nil {
		return w.engine, nil
	}
	e, err := pdf.Open(ctx, w.options.PDF)
	if err == nil {
		w.engine = e
	}
	return e, err
}

// close ends what the walk started.
func (w *walk) close() {
	if w.engine != nil {
		_ = w.engine.Close() // nothing depends on how it ends
	}
}

// place is where a document came from: an index into files, and a line or 0.
type place struct{ file, line int }

// stopError marks an error that on_error: skip does not pass over: of yield, or of a repeated id.
type stopError struct{ error }

// read reads one file and passes on its documents.
func (w *walk) read(ctx context.Context, i int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e := w.files[i]
	err := w.load(ctx, i)
	var stop stopError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &stop):
		return stop.error
	case ctx.Err() != nil:
		return ctx.Err()
	case statusOf(err) == StatusBinary:
		w.warn.add(rag.Warning{Code: StatusBinary, Subject: e.rel, Message: "the file is not text"})
		return nil
	case w.options.OnError == "skip":
		w.warn.add(rag.Warning{Code: statusOf(err), Subject: e.rel, Message: err.Error()})
		return nil
	}
	return fmt.Errorf("load %s: %w", e.rel, err)
}

func (w *walk) load(ctx context.Context, i int) error {
	e := w.files[i]
	in, err := w.fsys.Open(e.name)
	if err != nil {
		return err
	}
	defer in.Close()
	f := &File{Path: e.rel, Max: w.options.maxBytes(), Skip: w.options.OnError == "skip", Reader: in, walk: w}
	return e.format.New.Load(ctx, f, func(d rag.Document) error { return w.pass(ctx, i, f, d) })
}

// pass completes a document, checks it and hands it on.
func (w *walk) pass(ctx context.Context, i int, f *File, d rag.Document) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if before, dup := w.seen[d.ID]; dup {
		first := File{Path: w.files[before.file].rel, line: before.line}
		return stopError{fmt.Errorf("document id %q is that of %s and of %s", d.ID, first.where(), f.where())}
	}
	w.seen[d.ID] = place{file: i, line: f.line}
	d.Source = f.Path
	if d.MediaType == "" {
		d.MediaType = w.files[i].format.New.MediaType
	}
	if d.Encoding == "" {
		d.Encoding = "utf-8"
	}
	if text.Blank(d.Text) && d.Metadata["status"] != StatusNoText {
		f.Warn("empty_document", d.ID, "the document has no text and gives no chunks")
	}
	if err := w.yield(d); err != nil {
		return stopError{err}
	}
	return nil
}
