// Package container reads the zip archives that office documents and books are, within bounds: what a part claims to
// hold is not believed, what it gives is counted.
package container

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html/charset"
)

// The ways in which an archive is refused.
var (
	ErrBomb      = errors.New("the file unpacks to too much")
	ErrEncrypted = errors.New("the file is encrypted")
	ErrBroken    = errors.New("the file is broken")
)

// Limits bound what is read of an archive.
type Limits struct {
	Total int64 // bytes of all parts together, unpacked
	Ratio int64 // unpacked bytes of a part to its packed ones, beyond the first megabyte
	Parts int   // entries of the archive
}

// Default returns the limits for an archive of which up to size bytes would be read as a plain file: ten times that
// unpacked, 200 bytes from one, 65,536 parts.
func Default(size int64) Limits { return Limits{Total: 10 * size, Ratio: 200, Parts: 1 << 16} }

// Archive is an open archive.
type Archive struct {
	files  map[string]*zip.File
	names  []string
	limits Limits
	read   int64
}

// Open reads the directory of an archive of size bytes. A file of the OLE kind, which is how an encrypted office
// document is kept, is ErrEncrypted.
func Open(r io.ReaderAt, size int64, l Limits) (*Archive, error) {
	head := make([]byte, 8)
	if n, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	} else if head = head[:n]; bytes.Equal(head, []byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}) {
		return nil, fmt.Errorf("%w, or a document of the old binary kind", ErrEncrypted)
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrBroken, strings.TrimPrefix(err.Error(), "zip: "))
	}
	if len(z.File) > l.Parts {
		return nil, fmt.Errorf("%w: %d parts", ErrBomb, len(z.File))
	}
	a := &Archive{files: make(map[string]*zip.File, len(z.File)), limits: l}
	for _, f := range z.File {
		name := Clean(f.Name)
		if name == "" || strings.HasSuffix(f.Name, "/") {
			continue
		}
		if a.files[name] == nil {
			a.names = append(a.names, name)
		}
		a.files[name] = f
	}
	return a, nil
}

// Clean is the name of a part without what could lead out of the archive.
func Clean(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Names lists the parts in the order of the archive.
func (a *Archive) Names() []string { return a.names }

// Has reports whether there is a part of that name.
func (a *Archive) Has(name string) bool { return a.files[Clean(name)] != nil }

// Part opens a part for streaming. Reading fails with ErrBomb once a limit is passed.
func (a *Archive) Part(name string) (io.ReadCloser, error) {
	f := a.files[Clean(name)]
	if f == nil {
		return nil, fmt.Errorf("%w: it has no %s", ErrBroken, name)
	}
	if f.Flags&1 != 0 {
		return nil, ErrEncrypted
	}
	in, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: open %s: %s", ErrBroken, name, strings.TrimPrefix(err.Error(), "zip: "))
	}
	return &part{ReadCloser: in, archive: a, name: name, most: max(1<<20, int64(f.CompressedSize64)*a.limits.Ratio)}, nil
}

// Bytes reads a part whole.
func (a *Archive) Bytes(name string) ([]byte, error) {
	in, err := a.Part(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

// XML opens a part as XML. Only the five entities of XML itself are known, so that none can expand.
func (a *Archive) XML(name string) (*xml.Decoder, io.Closer, error) {
	in, err := a.Part(name)
	if err != nil {
		return nil, nil, err
	}
	return NewXML(in), in, nil
}

// NewXML returns a decoder of r that knows the encodings of the web and no entity of a document's own.
func NewXML(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset.NewReaderLabel
	return d
}

// Broken marks an error of reading a part as one of the archive, unless it says what it is already.
func Broken(err error) error {
	var syntax *xml.SyntaxError
	var corrupt flate.CorruptInputError
	if errors.As(err, &syntax) || errors.As(err, &corrupt) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %s", ErrBroken, strings.TrimPrefix(err.Error(), "zip: "))
	}
	return err
}

// part counts what is read of a part.
type part struct {
	io.ReadCloser
	archive *Archive
	name    string
	read    int64
	most    int64
}

// Read reads on, within the limits.
func (p *part) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.read += int64(n)
	p.archive.read += int64(n)
	if p.read > p.most || p.archive.read > p.archive.limits.Total {
		return 0, fmt.Errorf("%w: %d bytes of %s and more", ErrBomb, p.read, p.name)
	}
	return n, err
}

// Charset decodes b from the encoding that label names, as pages of the web use the names.
func Charset(label string, b []byte) (string, error) {
	r, err := charset.NewReaderLabel(label, bytes.NewReader(b))
	if err != nil {
		return "", err
	}
	out, err := io.ReadAll(r)
	return string(out), err
}
