// Package charset turns the bytes of a file into text and says which encoding it took them for. Nothing is guessed in
// silence: every doubt and every change comes back as a note.
package charset

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// ErrBinary says that the bytes are not text in any encoding this package knows.
var ErrBinary = errors.New("binary content")

// Note is something about the decoding that a reader of the results should know.
type Note struct {
	Code    string // encoding_guessed, encoding_fallback, invalid_utf8, replaced_characters or nul_removed
	Message string
}

// Decoded is the text of a file: valid UTF-8 without NUL and without a byte order mark.
type Decoded struct {
	Text     string
	Encoding string // utf-8, utf-16le, utf-16be, utf-32le, utf-32be or a code page, such as windows-1252
	Notes    []Note
}

// marks are the byte order marks. UTF-32LE's begins with UTF-16LE's and is tried first.
var marks = []struct {
	mark []byte
	name string
}{
	{[]byte{0xff, 0xfe, 0, 0}, "utf-32le"},
	{[]byte{0, 0, 0xfe, 0xff}, "utf-32be"},
	{[]byte{0xef, 0xbb, 0xbf}, "utf-8"},
	{[]byte{0xff, 0xfe}, "utf-16le"},
	{[]byte{0xfe, 0xff}, "utf-16be"},
}

// wide are the encodings of more than one byte a unit.
var wide = map[string]struct {
	enc  encoding.Encoding
	unit int
}{
	"utf-16le": {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2},
	"utf-16be": {unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2},
	"utf-32le": {utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), 4},
	"utf-32be": {utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), 4},
}

// Decode reads b by its byte order mark; else as UTF-16 where the places of its zero bytes say so; else as UTF-8 where
// it is valid or nearly so (then each wrong byte becomes U+FFFD); else in the code page that makes the likeliest text of
// it, Windows-1252 in doubt. ErrBinary means none of them.
func Decode(b []byte) (Decoded, error) {
	name, rest := byMark(b)
	if name == "" {
		if name = guessUTF16(b); name != "" {
			d := decodeWide(name, b)
			d.note("encoding_guessed", "no byte order mark; read as %s because of its zero bytes", name)
			return d, nil
		}
	}
	if _, ok := wide[name]; ok {
		return decodeWide(name, rest), nil
	}
	return decodeNarrow(rest, name == "utf-8")
}

// Marked reports whether b begins with a byte order mark.
func Marked(b []byte) bool {
	name, _ := byMark(b)
	return name != ""
}

// byMark returns the encoding that a byte order mark names and the bytes behind it.
func byMark(b []byte) (string, []byte) {
	for _, m := range marks {
		if bytes.HasPrefix(b, m.mark) && (len(m.mark) < 4 || len(b)%4 == 0) {
			return m.name, b[len(m.mark):]
		}
	}
	return "", b
}

func decodeWide(name string, b []byte) Decoded {
	w := wide[name]
	d := Decoded{Encoding: name}
	odd := len(b) % w.unit
	out, err := w.enc.NewDecoder().Bytes(b[:len(b)-odd])
	if err != nil { // the decoders replace what they cannot read, so this is out of memory or the like
		d.note("replaced_characters", "%v", err)
	}
	d.Text = string(out)
	bad := strings.Count(d.Text, "\ufffd") - countEncoded(w.enc, "\ufffd", b)
	if odd > 0 {
		d.Text += "\ufffd"
		bad++
	}
	if bad > 0 {
		d.note("replaced_characters", "%d characters are not valid %s and became U+FFFD", bad, name)
	}
	d.removeNUL()
	return d
}

// countEncoded counts how often s stands in b as enc writes it.
func countEncoded(enc encoding.Encoding, s string, b []byte) int {
	pattern, err := enc.NewEncoder().Bytes([]byte(s))
	if err != nil || len(pattern) == 0 {
		return 0
	}
	n := 0
	for i := 0; i+len(pattern) <= len(b); i += len(pattern) {
		if bytes.Equal(b[i:i+len(pattern)], pattern) {
			n++
		}
	}
	return n
}

func decodeNarrow(b []byte, marked bool) (Decoded, error) {
	d := Decoded{Encoding: "utf-8"}
	switch valid, multi, bad := survey(b); {
	case valid:
		if controls(b)*10 > len(sample(b))*3 {
			return d, ErrBinary
		}
		d.Text = string(b)
	case !marked && controls(b)*33 > len(sample(b)):
		return d, ErrBinary
	case marked || multi >= 4*bad:
		d.Text = strings.ToValidUTF8(string(b), "\ufffd")
		d.note("invalid_utf8", "%d bytes are not valid UTF-8 and became U+FFFD", bad)
	default:
		p := guessPage(b)
		out, err := p.enc.NewDecoder().Bytes(b)
		if err != nil {
			return d, fmt.Errorf("decode as %s: %w", p.name, err)
		}
		d.Text, d.Encoding = string(out), p.name
		d.noteGuess(p)
		if n := strings.Count(d.Text, "\ufffd"); n > 0 {
			d.note("replaced_characters", "%d characters are not valid %s and became U+FFFD", n, p.name)
		}
	}
	d.removeNUL()
	return d, nil
}

// survey counts the characters of more than one byte and the bytes that are part of none.
func survey(b []byte) (valid bool, multi, bad int) {
	if utf8.Valid(b) {
		return true, 0, 0
	}
	for len(b) > 0 {
		r, w := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && w == 1:
			bad++
		case w > 1:
			multi++
		}
		b = b[w:]
	}
	return false, multi, bad
}

// sampleSize is how many bytes from the start decide whether a file is text.
const sampleSize = 8192

func sample(b []byte) []byte { return b[:min(len(b), sampleSize)] }

// controls counts the bytes of the sample that text does not hold: control characters other than white space,
// backspace and escape.
func controls(b []byte) int {
	n := 0
	for _, c := range sample(b) {
		if c < ' ' && (c < '\b' || c > '\r') && c != 0x1b {
			n++
		}
	}
	return n
}

func (d *Decoded) removeNUL() {
	if n := strings.Count(d.Text, "\x00"); n > 0 {
		d.Text = strings.ReplaceAll(d.Text, "\x00", "")
		d.note("nul_removed", "%d NUL characters removed", n)
	}
}

// noteGuess says that a code page was guessed. Nothing in a file tells one from another but how its text reads.
func (d *Decoded) noteGuess(p *page) {
	if p == &pages[0] {
		d.note("encoding_fallback", "not valid UTF-8; read as windows-1252, which is a guess")
		return
	}
	d.note("encoding_guessed", "not valid UTF-8; read as %s, which makes the likeliest text of it", p.name)
}

func (d *Decoded) note(code, format string, args ...any) {
	d.Notes = append(d.Notes, Note{Code: code, Message: fmt.Sprintf(format, args...)})
}
