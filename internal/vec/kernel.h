// The C half of the coarse pass: float32 inner products of queries with four rows at a time. Every kernel sums a pair in the
// same order (see the package comment), wherever the pair stands in a tile. Lengths are multiples of 16, padded with zeros.

#ifndef RAGBENCH_VEC_KERNEL_H
#define RAGBENCH_VEC_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define VEC_LANES 16
#define VEC_ROWS 4   // rows of a tile
#define VEC_WIDEST 6 // most queries of a tile

#if defined(__x86_64__) || defined(__i386__)
#define VEC_X86 1
#endif

// A pair whose coarse score is not below the query's threshold. The row counts from the first row of the call.
typedef struct {
	int32_t query;
	int32_t row;
	float score;
} vec_hit;

// Scores of `width` (many) or one (single) query against the four rows: out[query*4 + row]. Queries stand n floats apart.
typedef void vec_tile(const float *queries, const float *const rows[VEC_ROWS], size_t n, float *out);

typedef struct {
	const char *name;
	size_t width; // queries of `many`
	vec_tile *single;
	vec_tile *many;
} vec_kernel;

// Each returns its kernel, or NULL where the machine cannot run it.
const vec_kernel *vec_avx512(void);
const vec_kernel *vec_avx2(void);
const vec_kernel *vec_neon(void);
const vec_kernel *vec_portable(void);

// Kernel i in order of preference, or NULL when this machine lacks it. i is 0 to VEC_KERNELS-1.
#define VEC_KERNELS 4
const vec_kernel *vec_kernel_at(int i);

// Writes the hits of nq queries among nr consecutive rows and returns their number, at most nq*nr. A hit is a score for which
// `score < threshold` does not hold, so a NaN is one. For each query rows ascend. `queries` has room for VEC_WIDEST-1 more
// queries after the last, whose content does not matter.
size_t vec_scan(const vec_kernel *kernel, const float *rows, size_t nr, const float *queries, size_t nq, size_t n,
                const float *thresholds, vec_hit *hits);

// Writes the inner product of each of nr rows with itself.
void vec_squares(const vec_kernel *kernel, const float *rows, size_t nr, size_t n, float *out);

#endif
