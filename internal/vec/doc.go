// Package vec holds what the vector search of the index stage computes: encoding, checking and exact top-k scans of float32
// vectors. It is pure: no SQL, no I/O, no clock.
//
// # What is promised
//
// The score of a (query, row) pair is [Dot]: the inner product of the two float32 vectors summed in float64, in the order of
// the dimensions. [TopK] and [TopKBatch] return exactly the k best rows by (score descending, row ascending). Neither the
// processor, the kernel, the number of threads, nor whether a query comes alone or in a batch changes a bit of the result:
// every product of two float32 is exact in float64, so a fused and an unfused sum agree, and Dot fixes their order.
//
// # How it is fast
//
// A scan runs in two passes. The coarse pass computes float32 scores with vector instructions, and drops a row only when k
// others are provably better (the bound is derived at coarse.slack in bound.go). The rows that remain, k and a few more, are scored
// with Dot. Rows that tie, however many, are scored once each and held in memory that grows with k alone.
//
// # Kernels
//
// The coarse pass has four kernels, in C, chosen when the program starts: avx512, avx2, neon, portable ([Kernel], [Kernels]).
// All keep one order of summation, whatever the place of a pair in a tile: sixteen lanes, lane l adding the products of the
// dimensions l, l+16, l+32, …, then lanes added in a tree (l with l+8, then +4, +2, +1). The kernels avx512, avx2 and neon use
// one fused multiply-add a step and give the same float32 bits as each other. The portable kernel may round the product apart,
// as its compiler likes, so its coarse bits may differ; the results of a scan do not.
package vec
