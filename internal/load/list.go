package load

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// entry is a file to read.
type entry struct {
	name   string // as the file system has it
	rel    string // relative to the root, NFC
	format *Format
}

// oddFolders hold copies, caches and the records of version control.
var oddFolders = []string{"CVS", "RCS", "SCCS", "__MACOSX", "__pycache__", "node_modules"}

// list returns the files below root in the order of their paths, and warns of what it passes over by rule: hidden names,
// folders of version control and caches, links that lead out of the root or to a folder, what is no regular file, what
// has no loader, and what is too large.
func list(fsys fs.FS, root string, o Options, warn *warnings) ([]entry, error) {
	match, err := newMatcher(o)
	if err != nil {
		return nil, err
	}
	var out []entry
	unread := map[string]int{} // extension -> files without a loader
	err = fs.WalkDir(fsys, root, func(p string, d fs.DirEntry, err error) error {
		rel := relative(root, p)
		if err != nil {
			if o.OnError == "skip" && p != root {
				warn.add(rag.Warning{Code: "skipped_error", Subject: rel, Message: err.Error()})
				return nil
			}
			return err
		}
		if p != root && strings.HasPrefix(d.Name(), ".") {
			warn.add(rag.Warning{Code: "skipped_hidden", Subject: rel, Message: "hidden files and folders are not read"})
			return skip(d)
		}
		if d.IsDir() {
			if p != root && slices.Contains(oddFolders, d.Name()) {
				warn.add(rag.Warning{Code: "skipped_folder", Subject: rel, Message: "folders of version control and caches are not read"})
				return fs.SkipDir
			}
			return nil
		}
		if !match.wants(rel) {
			return nil
		}
		info, w := inspect(fsys, p, d)
		if w.Code != "" {
			w.Subject = rel
			warn.add(w)
			return nil
		}
		format := formatOf(path.Ext(p))
		switch {
		case format == nil:
			unread[strings.ToLower(path.Ext(p))]++
		case !format.Rows && info.Size() > o.maxBytes():
			warn.add(rag.Warning{
				Code: "skipped_size", Subject: rel,
				Message: fmt.Sprintf("%d bytes are over the limit of %d (max_file_mb)", info.Size(), o.maxBytes()),
			})
		default:
			out = append(out, entry{name: p, rel: rel, format: format})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list documents: %w", err)
	}
	for _, ext := range sortedKeys(unread) {
		subject := ext
		if subject == "" {
			subject = "(no extension)"
		}
		warn.add(rag.Warning{Code: "skipped_format", Subject: subject, Message: fmt.Sprintf("%d files of a format without a loader", unread[ext])})
	}
	slices.SortFunc(out, func(a, b entry) int {
		if c := strings.Compare(a.rel, b.rel); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	return out, nil
}

// inspect follows a link as far as the root allows and returns what is there, or the warning that says why it is
// passed over.
func inspect(fsys fs.FS, p string, d fs.DirEntry) (fs.FileInfo, rag.Warning) {
	link := d.Type()&fs.ModeSymlink != 0
	info, err := fs.Stat(fsys, p)
	switch {
	case err != nil && errors.Is(err, fs.ErrNotExist):
		return nil, rag.Warning{Code: "skipped_link", Message: "the link leads nowhere"}
	case err != nil && link:
		return nil, rag.Warning{Code: "skipped_link", Message: "the link leads out of the root"}
	case err != nil:
		return nil, rag.Warning{Code: "skipped_error", Message: err.Error()}
	case link && info.IsDir():
		return nil, rag.Warning{Code: "skipped_link", Message: "links to folders are not followed"}
	case !info.Mode().IsRegular():
		return nil, rag.Warning{Code: "skipped_irregular", Message: "not a regular file"}
	}
	return info, rag.Warning{}
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// relative is p below root as documents name it: NFC, valid UTF-8.
func relative(root, p string) string {
	switch {
	case p == root:
		p = path.Base(p)
	case root != ".":
		p = strings.TrimPrefix(p, root+"/")
	}
	return text.NFC(strings.ToValidUTF8(p, "\ufffd"))
}
