package charset

import (
	"bufio"
	"errors"
	"io"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// Guess is Stream that knows code pages too: where the first bytes are not UTF-8 the whole is read in the code page that
// fits them. A table, whose delimiters may stand within the characters of a code page, cannot be cut before that.
func Guess(r io.Reader) (io.Reader, string, []Note, error) {
	br := bufio.NewReaderSize(r, guessSize)
	head, err := br.Peek(guessSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, "", nil, err
	}
	if len(head) == guessSize {
		head = wholeRunes(head)
	}
	if name, _ := byMark(head); name != "" || guessUTF16(head) != "" {
		return Stream(br)
	}
	if controls(head)*10 > len(sample(head))*3 {
		return nil, "", nil, ErrBinary
	}
	valid, multi, bad := survey(head)
	if valid || multi >= 4*bad {
		return br, "utf-8", nil, nil
	}
	if controls(head)*33 > len(sample(head)) {
		return nil, "", nil, ErrBinary
	}
	p := guessPage(head)
	d := Decoded{}
	d.noteGuess(p)
	return transform.NewReader(br, p.enc.NewDecoder()), p.name, d.Notes, nil
}

// wholeRunes cuts a character off that b does not hold whole.
func wholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// Stream returns a reader of UTF-8 over r and the name of the encoding it reads: by the byte order mark, or by the zero
// bytes of the first kilobytes. Bytes that are neither marked nor UTF-16 pass through as they are, under the name utf-8,
// for the caller to check.
func Stream(r io.Reader) (io.Reader, string, []Note, error) {
	br := bufio.NewReaderSize(r, 2*sampleSize)
	head, err := br.Peek(sampleSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, "", nil, err
	}
	var notes []Note
	name, rest := byMark(head)
	if name == "" {
		if name = guessUTF16(head); name != "" {
			notes = append(notes, Note{"encoding_guessed", "no byte order mark; read as " + name + " because of its zero bytes"})
		}
	}
	if _, err := br.Discard(len(head) - len(rest)); err != nil {
		return nil, "", nil, err
	}
	if w, ok := wide[name]; ok {
		return transform.NewReader(br, w.enc.NewDecoder()), name, notes, nil
	}
	return br, "utf-8", notes, nil
}
