package vec

import (
	"encoding/binary"
	"fmt"
	"math"
)

// bytesPerFloat is the size of one encoded dimension.
const bytesPerFloat = 4

// Encode returns v as little-endian float32, four bytes a dimension: the form kept in the file, and the one that sqlite-vec
// and numpy.frombuffer(dtype="<f4") read. Every bit pattern survives, NaN included; use Check to refuse what must not be kept.
func Encode(v []float32) []byte {
	data := make([]byte, bytesPerFloat*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(data[bytesPerFloat*i:], math.Float32bits(x))
	}
	return data
}

// Decode returns the vector that Encode wrote, in memory of its own. A length that is not a multiple of four is an error
// matching ErrLength.
func Decode(data []byte) ([]float32, error) {
	if len(data)%bytesPerFloat != 0 {
		return nil, fmt.Errorf("decode vector: %w: %d bytes, not a multiple of %d", ErrLength, len(data), bytesPerFloat)
	}
	v := make([]float32, len(data)/bytesPerFloat)
	decodeTo(v, data)
	return v, nil
}

// decodeTo fills v from the first 4*len(v) bytes of data.
func decodeTo(v []float32, data []byte) {
	data = data[:bytesPerFloat*len(v)]
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[bytesPerFloat*i:]))
	}
}
