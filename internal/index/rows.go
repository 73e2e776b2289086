package index

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// rowsPerBlock is how many rows of an analysis one row of lexical_rows describes.
const rowsPerBlock = 4096

// A block of rows is the chunk id of each row as a varint gap (the first id itself for the first), then the length of each row
// in tokens as a varint.

// rowBlock collects the rows of one block.
type rowBlock struct {
	first   int // number of its first row
	ids     []int64
	lengths []uint32
}

func (b *rowBlock) add(chunkID int64, length uint32) error {
	if chunkID < 0 {
		return fmt.Errorf("chunk id %d is negative", chunkID)
	}
	b.ids = append(b.ids, chunkID)
	b.lengths = append(b.lengths, length)
	return nil
}

// encode returns the block and begins the next.
func (b *rowBlock) encode() []byte {
	var data []byte
	last := int64(0)
	for _, id := range b.ids {
		data = binary.AppendUvarint(data, uint64(id-last))
		last = id
	}
	for _, n := range b.lengths {
		data = binary.AppendUvarint(data, uint64(n))
	}
	b.first += len(b.ids)
	b.ids, b.lengths = b.ids[:0], b.lengths[:0]
	return data
}

var errRows = errors.New("the block is damaged")

// decodeRows appends the n rows of a block.
func decodeRows(ids []int64, lengths []uint32, data []byte, n int) ([]int64, []uint32, error) {
	if n < 0 || n > len(data)/2 {
		return nil, nil, errRows
	}
	last := int64(0)
	for range n {
		gap, used := uvarint(data)
		last += int64(gap)
		if used <= 0 || last < 0 || len(ids) > 0 && last <= ids[len(ids)-1] {
			return nil, nil, errRows
		}
		ids, data = append(ids, last), data[used:]
	}
	for range n {
		length, used := uvarint(data)
		if used <= 0 || length > 1<<32-1 {
			return nil, nil, errRows
		}
		lengths, data = append(lengths, uint32(length)), data[used:]
	}
	if len(data) != 0 {
		return nil, nil, errRows
	}
	return ids, lengths, nil
}
