package load

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// Outcome is what loading one file came to.
type Outcome struct {
	Path       string // relative to the root; a folder that is not entered ends in a slash or is named as it is
	Format     string // a name of All; "" where nothing reads it
	Status     string // one of the Status… names, or skipped_…
	Documents  int
	Characters int // code points of their texts
	Encoding   string
	Warnings   []rag.Warning // with those that say why it was passed over
}

// Survey loads every file below root, as Walk does with on_error: skip, and calls yield with what became of each, in the
// order of paths; nothing is kept. A repeated document id is a status of its own here, skipped_error.
func Survey(ctx context.Context, root string, o Options, yield func(Outcome) error) error {
	if err := o.Validate(); err != nil {
		return err
	}
	fsys, name, err := open(root)
	if err != nil {
		return err
	}
	defer fsys.Close()
	return SurveyFS(ctx, fsys.FS(), name, o, yield)
}

// SurveyFS is Survey on a file system; root is a path in it.
func SurveyFS(ctx context.Context, fsys fs.FS, root string, o Options, yield func(Outcome) error) error {
	if err := o.Validate(); err != nil {
		return err
	}
	o.OnError = "skip"
	var now *Outcome
	w := newWalk(fsys, o, func(d rag.Document) error {
		now.Documents++
		now.Characters += text.RuneCount(d.Text)
		now.Encoding = d.Encoding
		return nil
	})
	defer w.close()
	var passed []Outcome
	files, err := list(fsys, root, o, func(x rag.Warning) {
		passed = append(passed, Outcome{Path: x.Subject, Status: x.Code, Warnings: []rag.Warning{x}})
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(passed, func(a, b Outcome) int { return cmp.Compare(a.Path, b.Path) })
	w.files = files
	for i, e := range files {
		for len(passed) > 0 && passed[0].Path < e.rel {
			if err := yield(passed[0]); err != nil {
				return err
			}
			passed = passed[1:]
		}
		now = &Outcome{Path: e.rel, Format: e.format.Name}
		w.warn = warnings{}
		err := w.load(ctx, i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		now.close(err, w.warn.all())
		if err := yield(*now); err != nil {
			return err
		}
	}
	for _, p := range passed {
		if err := yield(p); err != nil {
			return err
		}
	}
	return nil
}

// close settles the status from the error of loading and the warnings.
func (o *Outcome) close(err error, warns []rag.Warning) {
	o.Warnings = warns
	o.Status = StatusLoaded
	if o.Characters == 0 {
		o.Status = StatusEmpty
	}
	for _, w := range warns {
		if w.Code == StatusNoText || w.Code == StatusPartly {
			o.Status = w.Code
		}
	}
	if err != nil {
		var stop stopError
		if errors.As(err, &stop) {
			err = stop.error
		}
		o.Status = statusOf(err)
		o.Warnings = append(o.Warnings, rag.Warning{Code: o.Status, Subject: o.Path, Message: err.Error()})
	}
}
