package load

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"

	"golang.org/x/net/html/charset"

	"ragbench/internal/load/container"
	"ragbench/internal/load/htmltext"
	"ragbench/internal/rag"
	"ragbench/internal/text"
)

// deepestMail is how many messages and multiparts may stand within each other.
const deepestMail = 20

// letter is a message while it is read.
type letter struct {
	f        *File
	texts    []string
	attached []string
}

// loadEML reads a message (RFC 5322, MIME): its main header fields and its text. Of alternatives the plain one is taken;
// attachments are named and left out.
func loadEML(_ context.Context, f *File, yield func(rag.Document) error) error {
	m, err := mail.ReadMessage(bufio.NewReader(io.LimitReader(f, f.Max)))
	if err != nil {
		return fmt.Errorf("%w: %v", container.ErrBroken, err)
	}
	l := &letter{f: f}
	if err := l.part(textproto.MIMEHeader(m.Header), m.Body, 0); err != nil {
		return err
	}
	words := mime.WordDecoder{CharsetReader: charset.NewReaderLabel}
	meta := map[string]string{}
	var head []string
	for _, name := range []string{"From", "To", "Cc", "Date", "Subject"} {
		value, err := words.DecodeHeader(m.Header.Get(name))
		if err != nil {
			value = m.Header.Get(name)
		}
		value = strings.ToValidUTF8(f.withoutNUL(strings.Join(strings.Fields(value), " "), ""), "\ufffd")
		if value != "" {
			meta[strings.ToLower(name)] = value
			head = append(head, name+": "+value)
		}
	}
	if len(l.attached) > 0 {
		f.Warn("attachments_left_out", "", fmt.Sprintf("%d attachments are not read: %s", len(l.attached), strings.Join(l.attached, ", ")))
	}
	body := strings.Join(append([]string{strings.Join(head, "\n")}, l.texts...), "\n\n")
	title := meta["subject"]
	delete(meta, "subject")
	return yield(rag.Document{ID: text.DocumentID(f.Path), Title: f.or(title), Text: strings.TrimSpace(body), Metadata: meta})
}

// part takes the text of a part of a message.
func (l *letter) part(h textproto.MIMEHeader, body io.Reader, depth int) error {
	if depth > deepestMail {
		return fmt.Errorf("%w: parts within parts, more than %d deep", container.ErrBomb, deepestMail)
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		kind = "text/plain" // RFC 2045, 5.2
	}
	how, names, err := mime.ParseMediaType(h.Get("Content-Disposition"))
	if name := names["filename"]; err == nil && (how == "attachment" || name != "" && !strings.HasPrefix(kind, "text/")) {
		if name == "" {
			name = kind
		}
		l.attached = append(l.attached, name)
		return nil
	}
	switch strings.ToLower(h.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, &lettersOnly{body})
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		return l.parts(kind, params["boundary"], body, depth)
	case kind == "text/plain" || kind == "text/html":
		return l.text(kind, params["charset"], body)
	case strings.HasPrefix(kind, "message/rfc822"):
		m, err := mail.ReadMessage(bufio.NewReader(body))
		if err != nil {
			return fmt.Errorf("%w: enclosed message: %v", container.ErrBroken, err)
		}
		return l.part(textproto.MIMEHeader(m.Header), m.Body, depth+1)
	}
	l.attached = append(l.attached, kind)
	return nil
}

// parts goes through a multipart. Of alternatives the first that gives text counts.
func (l *letter) parts(kind, boundary string, body io.Reader, depth int) error {
	r := multipart.NewReader(body, boundary)
	before := len(l.texts)
	for {
		p, err := r.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %v", container.ErrBroken, err)
		}
		if kind == "multipart/alternative" && len(l.texts) > before {
			continue
		}
		if err := l.part(p.Header, p, depth+1); err != nil {
			return err
		}
	}
}

// text takes a part of text.
func (l *letter) text(kind, label string, body io.Reader) error {
	b, err := io.ReadAll(body)
	if err != nil {
		return fmt.Errorf("%w: %v", container.ErrBroken, err)
	}
	s := ""
	if label != "" {
		if s, err = container.Charset(label, b); err != nil {
			label = ""
		}
	}
	switch {
	case label == "" && kind == "text/html":
		s, _, err = l.f.decodeHTML(b)
	case label == "":
		s, _, err = l.f.decode(b)
	}
	if err != nil {
		return err
	}
	if kind == "text/html" {
		s = htmltext.Parse(s).Text
	}
	if s = strings.TrimSpace(l.f.withoutNUL(unixLines(s), "")); s != "" {
		l.texts = append(l.texts, s)
	}
	return nil
}

// lettersOnly drops what does not belong to base64, such as stray spaces.
type lettersOnly struct{ r io.Reader }

// Read reads on.
func (l *lettersOnly) Read(b []byte) (int, error) {
	for {
		n, err := l.r.Read(b)
		kept := 0
		for _, c := range b[:n] {
			if c > ' ' && c < 0x7f {
				b[kept] = c
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}
