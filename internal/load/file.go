package load

import (
	"fmt"
	"io"
	"path"
	"strings"

	"ragbench/internal/load/charset"
	"ragbench/internal/rag"
)

// File is what a loader gets to read.
type File struct {
	Path string // relative to the root, in NFC, with forward slashes
	Max  int64  // the greatest number of bytes of the file, or of one of its rows
	Skip bool   // a bad row is to be reported and passed over
	io.Reader

	warn *warnings
	line int // where the next document comes from; 0 for the file as a whole
}

// Warn reports something about the file, or about one of its documents where subject names it.
func (f *File) Warn(code, subject, message string) {
	if subject == "" {
		subject = f.Path
	}
	f.warn.add(rag.Warning{Code: code, Subject: subject, Message: message})
}

// Text reads the whole file as text with LF line ends.
func (f *File) Text() (text, encoding string, err error) {
	b, err := io.ReadAll(io.LimitReader(f, f.Max+1))
	if err != nil {
		return "", "", err
	}
	if int64(len(b)) > f.Max {
		return "", "", fmt.Errorf("file grew over the limit of %d bytes while it was read", f.Max)
	}
	d, err := charset.Decode(b)
	if err != nil {
		return "", "", err
	}
	for _, n := range d.Notes {
		f.Warn(n.Code, "", n.Message)
	}
	return unixLines(d.Text), d.Encoding, nil
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
