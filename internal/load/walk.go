package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ragbench/internal/load/charset"
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
	// The root itself may be a link: the user named it.
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("open documents: %w", err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, fmt.Errorf("open documents: %w", err)
	}
	dir, name := real, "."
	if !info.IsDir() {
		dir, name = filepath.Split(real)
		dir = filepath.Clean(dir)
	}
	r, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open documents: %w", err)
	}
	defer r.Close()
	return WalkFS(ctx, r.FS(), filepath.ToSlash(name), o, yield)
}

// WalkFS is Walk on a file system, such as an embedded one; root is a path in it.
func WalkFS(ctx context.Context, fsys fs.FS, root string, o Options, yield func(rag.Document) error) ([]rag.Warning, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	w := &walk{fsys: fsys, options: o, seen: map[string]place{}, yield: yield}
	files, err := list(fsys, root, o, &w.warn)
	if err != nil {
		return w.warn.all(), err
	}
	w.files = files
	for i := range files {
		if err := w.read(ctx, i); err != nil {
			return w.warn.all(), err
		}
	}
	return w.warn.all(), nil
}

// walk is the state of one Walk.
type walk struct {
	fsys    fs.FS
	options Options
	files   []entry
	seen    map[string]place // by document id
	warn    warnings
	yield   func(rag.Document) error
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
	case errors.Is(err, charset.ErrBinary):
		w.warn.add(rag.Warning{Code: "skipped_binary", Subject: e.rel, Message: "the file is not text"})
		return nil
	case w.options.OnError == "skip":
		w.warn.add(rag.Warning{Code: "skipped_error", Subject: e.rel, Message: err.Error()})
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
	f := &File{Path: e.rel, Max: w.options.maxBytes(), Skip: w.options.OnError == "skip", Reader: in, warn: &w.warn}
	return e.format.Load(ctx, f, func(d rag.Document) error { return w.pass(ctx, i, f, d) })
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
		d.MediaType = w.files[i].format.MediaType
	}
	if d.Encoding == "" {
		d.Encoding = "utf-8"
	}
	if text.Blank(d.Text) {
		f.Warn("empty_document", d.ID, "the document has no text and gives no chunks")
	}
	if err := w.yield(d); err != nil {
		return stopError{err}
	}
	return nil
}

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
