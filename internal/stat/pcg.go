package stat

import "math/bits"

// pcg is PCG-DXSM: a 128-bit linear congruential generator whose state is put through a multiply-xorshift permutation.
type pcg struct{ hi, lo uint64 }

func newPCG(seed uint64) *pcg { return &pcg{hi: seed} }

// next returns 64 random bits.
func (p *pcg) next() uint64 {
	const (
		mulHi, mulLo = 0x2360ed051fc65da4, 0x4385df649fccf645
		incHi, incLo = 0x5851f42d4c957f2d, 0x14057b7ef767814f
		cheap        = 0xda942042e4dd58b5
	)
	// state = state × mul + inc, modulo 2^128.
	hi, lo := bits.Mul64(p.lo, mulLo)
	hi += p.hi*mulLo + p.lo*mulHi
	lo, carry := bits.Add64(lo, incLo, 0)
	hi, _ = bits.Add64(hi, incHi, carry)
	p.hi, p.lo = hi, lo

	hi ^= hi >> 32
	hi *= cheap
	hi ^= hi >> 48
	return hi * (lo | 1)
}

// indices fills row with indices below n, two of each output.
func (p *pcg) indices(row []uint32, n int) {
	m := uint64(n)
	for i := 0; i < len(row); i += 2 {
		u := p.next()
		row[i] = uint32((u & 0xffffffff) * m >> 32)
		if i+1 < len(row) {
			row[i+1] = uint32((u >> 32) * m >> 32)
		}
	}
}
