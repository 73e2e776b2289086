package vec

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

const (
	// lanes is the width of the summation order that all kernels keep (see the package comment).
	lanes = 16
	// segmentRows is how many rows share one norm, and the unit in which rows are dealt to threads.
	segmentRows = 1024
	// MaxDims is the largest number of dimensions; the error bound of the coarse pass is proven up to it.
	MaxDims = 1 << 16
)

// Matrix holds float32 vectors of one length in one flat, 64-byte aligned array, each row padded with zeros to a multiple of
// 16 dimensions. Every row is finite and not zero. Any number of goroutines may read it while none appends.
type Matrix struct {
	dims, stride, rows int
	flat               []float32 // rows*stride values in use
	norms              []float64 // for each segment of rows, an upper bound of the Euclidean lengths in it
}

// NewMatrix returns an empty matrix for vectors of dims dimensions (1 to MaxDims), with room for capacity rows. It grows
// beyond them, at the price of a copy.
func NewMatrix(dims, capacity int) (*Matrix, error) {
	if dims < 1 || dims > MaxDims {
		return nil, fmt.Errorf("make matrix: %w: %d dimensions, want 1 to %d", ErrLength, dims, MaxDims)
	}
	m := &Matrix{dims: dims, stride: padded(dims)}
	m.flat = aligned(max(capacity, 0) * m.stride)[:0]
	return m, nil
}

// Dims returns the number of dimensions of a row.
func (m *Matrix) Dims() int { return m.dims }

// Rows returns the number of rows.
func (m *Matrix) Rows() int { return m.rows }

// Row returns row i, numbered from 0 in the order of appending. It is a view: do not write to it, and do not keep it over an
// Append.
func (m *Matrix) Row(i int) []float32 {
	return m.flat[i*m.stride : i*m.stride+m.dims : i*m.stride+m.dims]
}

// Append copies v into a new last row, or returns what Check finds wrong with it.
func (m *Matrix) Append(v []float32) error {
	if len(v) != m.dims {
		return fmt.Errorf("append row %d: %w", m.rows, Check(v, m.dims))
	}
	copy(m.extend(1), v)
	return m.accept(1)
}

// AppendBlock appends the n vectors that data starts with, encoded one after the other as Encode does. It takes all of them or,
// when data is too short or Check refuses one, none.
func (m *Matrix) AppendBlock(data []byte, n int) error {
	if n < 0 || n > len(data)/(bytesPerFloat*m.dims) {
		return fmt.Errorf("append block: %w: %d bytes for %d rows of %d dimensions", ErrLength, len(data), n, m.dims)
	}
	if n == 0 {
		return nil
	}
	rows := m.extend(n)
	if m.stride == m.dims {
		copyFloats(rows, data)
	} else {
		for i := range n {
			copyFloats(rows[i*m.stride:i*m.stride+m.dims], data[bytesPerFloat*m.dims*i:])
		}
	}
	return m.accept(n)
}

// extend makes room for n rows after the last and returns it, its padding zeroed; accept then counts them in.
func (m *Matrix) extend(n int) []float32 {
	used, need := m.rows*m.stride, (m.rows+n)*m.stride
	if need > cap(m.flat) {
		grown := aligned(max(need, cap(m.flat)+cap(m.flat)/2))
		copy(grown, m.flat[:used])
		m.flat = grown
	}
	m.flat = m.flat[:need]
	if m.stride > m.dims {
		clear(m.flat[used:])
	}
	return m.flat[used:]
}

// accept checks the n rows that extend made room for, takes their lengths into the norms, and counts them in. When it returns
// an error the matrix is as it was before extend.
func (m *Matrix) accept(n int) error {
	squares := make([]float32, n)
	bestKernel().squares(m.flat[m.rows*m.stride:], m.stride, squares)
	norms := make([]float64, n)
	for i, square := range squares {
		norm, proven := normFromSquare(square)
		if !proven {
			row := m.flat[(m.rows+i)*m.stride:][:m.dims]
			if err := Check(row, m.dims); err != nil {
				m.flat = m.flat[:m.rows*m.stride]
				return fmt.Errorf("append row %d: %w", m.rows+i, err)
			}
			norm = Norm(row) * roundUp
		}
		norms[i] = norm
	}
	for _, norm := range norms {
		if m.rows%segmentRows == 0 {
			m.norms = append(m.norms, 0)
		}
		last := len(m.norms) - 1
		m.norms[last] = max(m.norms[last], norm)
		m.rows++
	}
	return nil
}

// padded rounds dims up to whole groups of lanes.
func padded(dims int) int {
	return (dims + lanes - 1) / lanes * lanes
}

// aligned returns n zeros that start on a 64-byte boundary.
func aligned(n int) []float32 {
	all := make([]float32, n+lanes)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(all))) % (lanes * bytesPerFloat) / bytesPerFloat
	return all[skip : int(skip)+n : int(skip)+n]
}

// copyFloats fills v from the start of data: one copy where the machine keeps numbers as the file does.
func copyFloats(v []float32, data []byte) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		decodeTo(v, data)
		return
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), bytesPerFloat*len(v)), data)
}

// normFromSquare returns an upper bound of a row's length, given its coarse inner product with itself, and whether that
// product proves the row finite, not zero, and the bound right. A NaN, an infinity, and a square so small that underflow
// matters prove nothing. Within 2^-100 to 2^100 the relative error of square is below 2^-11 (bound.go, up to MaxDims).
func normFromSquare(square float32) (norm float64, proven bool) {
	s := float64(square)
	if s >= 0x1p-100 && s <= 0x1p100 {
		return math.Sqrt(s) * roundUp, true
	}
	return 0, false
}
