package charset

import (
	"bufio"
	"errors"
	"io"

	"golang.org/x/text/transform"
)

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
