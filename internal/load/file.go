package load

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"ragbench/internal/load/charset"
	"ragbench/internal/load/container"
	"ragbench/internal/rag"
)

// File is what a loader gets to read.
type File struct {
	Path string // relative to the root, in NFC, with forward slashes
	Max  int64  // the greatest number of bytes of the file, or of one of its rows
	Skip bool   // a bad row is to be reported and passed over
	io.Reader

	walk *walk
	line int // where the next document comes from; 0 for the file as a whole
}

// options are the rules of the walk.
func (f *File) options() *Options { return &f.walk.options }

// Warn reports something about the file, or about one of its documents where subject names it.
func (f *File) Warn(code, subject, message string) {
	if subject == "" {
		subject = f.Path
	}
	f.walk.warn.add(rag.Warning{Code: code, Subject: subject, Message: message})
}

// Bytes reads the whole file.
func (f *File) Bytes() ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(f, f.Max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > f.Max {
		return nil, fmt.Errorf("file grew over the limit of %d bytes while it was read", f.Max)
	}
	return b, nil
}

// At gives access to any place of the file and tells its size. What cannot be read out of order is read whole.
func (f *File) At() (io.ReaderAt, int64, error) {
	if at, ok := f.Reader.(io.ReaderAt); ok {
		if s, ok := f.Reader.(interface{ Stat() (fs.FileInfo, error) }); ok {
			info, err := s.Stat()
			if err != nil {
				return nil, 0, err
			}
			return at, info.Size(), nil
		}
	}
	b, err := f.Bytes()
	return bytes.NewReader(b), int64(len(b)), err
}

// Archive opens the file as a zip archive.
func (f *File) Archive() (*container.Archive, error) {
	at, size, err := f.At()
	if err != nil {
		return nil, err
	}
	return container.Open(at, size, container.Default(f.Max))
}

// Text reads the whole file as text with LF line ends.
func (f *File) Text() (text, encoding string, err error) {
	b, err := f.Bytes()
	if err != nil {
		return "", "", err
	}
	return f.decode(b)
}

// decode turns bytes of the file into text with LF line ends and reports what had to be guessed.
func (f *File) decode(b []byte) (text, encoding string, err error) {
	d, err := charset.Decode(b)
	if err != nil {
		return "", "", err
	}
	for _, n := range d.Notes {
		f.Warn(n.Code, "", n.Message)
	}
	return unixLines(d.Text), d.Encoding, nil
}

// withoutNUL removes what no column of text may hold, and says so of the subject, or of the file where it is "".
func (f *File) withoutNUL(s, subject string) string {
	if !strings.Contains(s, "\x00") {
		return s
	}
	f.Warn("nul_removed", subject, fmt.Sprintf("%d NUL characters removed", strings.Count(s, "\x00")))
	return strings.ReplaceAll(s, "\x00", "")
}

// unixLines turns CR LF and CR into LF, so that a checkout on any system gives the same offsets.
func unixLines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// titleOf makes a title of a path: the stem with spaces for _ and -.
func titleOf(p string) string {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.Join(strings.FieldsFunc(stem, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }), " ")
}

// where names the place the next document comes from.
func (f *File) where() string {
	if f.line > 0 {
		return fmt.Sprintf("%s:%d", f.Path, f.line)
	}
	return f.Path
}
