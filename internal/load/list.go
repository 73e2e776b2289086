package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ragbench/internal/load/ignore"
	"ragbench/internal/rag"
	"ragbench/internal/spec"
	"ragbench/internal/text"
)

// entry is a file to read.
type entry struct {
	name   string // as the file system has it
	rel    string // relative to the root, NFC
	format *spec.Entry[Format]
}

// oddFolders hold copies, caches and the records of version control.
var oddFolders = []string{"CVS", "RCS", "SCCS", "__MACOSX", "__pycache__", "node_modules"}

// list returns the files below root in the order of their paths, and reports what it passes over by rule: hidden names,
// folders of version control and caches, what ignore files name, links that lead out of the root or to a folder, what
// is no regular file, what has no loader, and what is too large.
func list(fsys fs.FS, root string, o Options, pass func(rag.Warning)) ([]entry, error) {
	match, err := newMatcher(o)
	if err != nil {
		return nil, err
	}
	var out []entry
	ignored := map[string]ignore.Lists{} // by folder
	err = fs.WalkDir(fsys, root, func(p string, d fs.DirEntry, err error) error {
		rel := relative(root, p)
		if err != nil {
			if o.OnError == "skip" && p != root {
				pass(rag.Warning{Code: StatusError, Subject: rel, Message: err.Error()})
				return nil
			}
			return err
		}
		if d.Name() == ignoreFile && !d.IsDir() {
			return nil
		}
		if p != root && strings.HasPrefix(d.Name(), ".") {
			pass(rag.Warning{Code: "skipped_hidden", Subject: rel, Message: "hidden files and folders are not read"})
			return skip(d)
		}
		if d.IsDir() {
			if p != root && slices.Contains(oddFolders, d.Name()) {
				pass(rag.Warning{Code: "skipped_folder", Subject: rel, Message: "folders of version control and caches are not read"})
				return fs.SkipDir
			}
			if p != root && ignored[path.Dir(p)].Match(relative(root, p), true) {
				pass(rag.Warning{Code: "skipped_ignored", Subject: rel + "/", Message: "passed over by " + ignoreFile})
				return fs.SkipDir
			}
			ignored[p], err = readIgnore(fsys, root, p, ignored[path.Dir(p)])
			return err
		}
		if ignored[path.Dir(p)].Match(rel, false) {
			pass(rag.Warning{Code: "skipped_ignored", Subject: rel, Message: "passed over by " + ignoreFile})
			return nil
		}
		if !match.wants(rel) {
			return nil
		}
		info, w := inspect(fsys, p, d)
		if w.Code != "" {
			w.Subject = rel
			pass(w)
			return nil
		}
		format := formatOf(path.Ext(p))
		switch {
		case format == nil:
			pass(rag.Warning{Code: "skipped_format", Subject: rel, Message: "a format without a loader"})
		case !format.New.Rows && info.Size() > o.maxBytes():
			pass(rag.Warning{
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

// ignoreFile is the name of a list of what is not to be read, in gitignore's grammar, in any folder.
const ignoreFile = ".ragbenchignore"

// readIgnore returns the lists that apply in a folder: those of the folder above and its own.
func readIgnore(fsys fs.FS, root, folder string, above ignore.Lists) (ignore.Lists, error) {
	in, err := fsys.Open(path.Join(folder, ignoreFile))
	if errors.Is(err, fs.ErrNotExist) {
		return above, nil
	}
	if err != nil {
		return above, err
	}
	defer in.Close()
	at := ""
	if folder != root {
		at = relative(root, folder)
	}
	l, err := ignore.Read(io.LimitReader(in, 1<<20), at)
	if err != nil {
		return above, fmt.Errorf("read %s: %w", path.Join(at, ignoreFile), err)
	}
	return append(slices.Clip(above), l), nil
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
