package index

import (
	"encoding/binary"
	"errors"
)

// A posting list is, for each row that holds the term, ascending: the gap to the row before as a varint (the first row
// itself for the first), then the number of occurrences as a varint. Varints are LEB128, as encoding/binary has them.

// posting is one entry of a decoded list.
type posting struct {
	row, count uint32
}

// list collects the postings of one term while rows ascend.
type list struct {
	data  []byte
	last  uint32 // the last row in data
	row   uint32 // the row being counted
	count uint32 // 0 only before the first
	df    uint32
}

// add counts one occurrence in a row, which is not below that of the call before.
func (l *list) add(row uint32) {
	if l.count > 0 {
		if l.row == row {
			l.count++
			return
		}
		l.flush()
	}
	l.row, l.count = row, 1
	l.df++
}

// flush writes the row being counted.
func (l *list) flush() {
	l.data = binary.AppendUvarint(l.data, uint64(l.row-l.last))
	l.data = binary.AppendUvarint(l.data, uint64(l.count))
	l.last, l.count = l.row, 0
}

var errPostings = errors.New("the posting list is damaged")

// decodePostings returns the df entries of a list over rows 0 to rows-1.
func decodePostings(data []byte, df, rows int) ([]posting, error) {
	if df < 0 || df > len(data)/2 || df > rows {
		return nil, errPostings
	}
	out := make([]posting, df)
	row := uint64(0)
	for i := range out {
		gap, n := uvarint(data)
		if n <= 0 {
			return nil, errPostings
		}
		count, m := uvarint(data[n:])
		if m <= 0 || count == 0 || count > 1<<32-1 || i > 0 && gap == 0 {
			return nil, errPostings
		}
		row += gap
		if gap >= uint64(rows) || row >= uint64(rows) {
			return nil, errPostings
		}
		out[i] = posting{uint32(row), uint32(count)}
		data = data[n+m:]
	}
	if len(data) != 0 {
		return nil, errPostings
	}
	return out, nil
}

// uvarint is binary.Uvarint with a short way for one byte, which most gaps and counts are.
func uvarint(data []byte) (uint64, int) {
	if len(data) > 0 && data[0] < 0x80 {
		return uint64(data[0]), 1
	}
	return binary.Uvarint(data)
}
