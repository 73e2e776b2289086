package load

import (
	"bytes"
	"fmt"
	"io"
)

// lineReader counts the lines of what a decoder has passed, which is less than it has read, and refuses a value that is
// too long to hold.
type lineReader struct {
	r    io.Reader
	max  int64
	line int   // of the offset passed last, from 1
	at   int64 // that offset
	read int64 // bytes read
	ends []int64
}

// Read reads on. A value may be twice the limit here, since decoders read ahead.
func (l *lineReader) Read(b []byte) (int, error) {
	if l.read-l.at > 2*l.max+1<<20 {
		return 0, fmt.Errorf("value of more than %d bytes", l.max)
	}
	n, err := l.r.Read(b)
	for i := 0; i < n; {
		j := bytes.IndexByte(b[i:n], '\n')
		if j < 0 {
			break
		}
		l.ends = append(l.ends, l.read+int64(i+j))
		i += j + 1
	}
	l.read += int64(n)
	return n, err
}

// passed says how far the decoder is.
func (l *lineReader) passed(at int64) {
	if at < l.at {
		return
	}
	l.at = at
	n := 0
	for n < len(l.ends) && l.ends[n] < at {
		n++
	}
	l.line += n
	l.ends = append(l.ends[:0], l.ends[n:]...)
}

// last is the line where reading ended.
func (l *lineReader) last() int { return l.line + len(l.ends) }
