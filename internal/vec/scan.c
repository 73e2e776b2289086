#include "kernel.h"

const vec_kernel *vec_kernel_at(int i) {
	switch (i) {
	case 0: return vec_avx512();
	case 1: return vec_avx2();
	case 2: return vec_neon();
	case 3: return vec_portable();
	}
	return NULL;
}

// The last tile of a range repeats its last row in the places it cannot fill.
static void point_at(const float *rows, size_t first, size_t nr, size_t n, const float *at[VEC_ROWS]) {
	for (size_t i = 0; i < VEC_ROWS; i++) {
		size_t row = first + i < nr ? first + i : nr - 1;
		at[i] = rows + row * n;
	}
}

size_t vec_scan(const vec_kernel *kernel, const float *rows, size_t nr, const float *queries, size_t nq, size_t n,
                const float *thresholds, vec_hit *hits) {
	size_t count = 0;
	float out[VEC_WIDEST * VEC_ROWS];
	for (size_t q = 0; q < nq;) {
		// Half a tile or more is worth a whole one.
		int whole = (nq - q) * 2 >= kernel->width;
		vec_tile *tile = whole ? kernel->many : kernel->single;
		size_t wide = whole ? kernel->width : 1;
		if (wide > nq - q) {
			wide = nq - q;
		}
		for (size_t r = 0; r < nr; r += VEC_ROWS) {
			const float *at[VEC_ROWS];
			point_at(rows, r, nr, n, at);
			tile(queries + q * n, at, n, out);
			size_t high = nr - r < VEC_ROWS ? nr - r : VEC_ROWS;
			for (size_t i = 0; i < wide; i++) {
				float threshold = thresholds[q + i];
				for (size_t j = 0; j < high; j++) {
					float score = out[i * VEC_ROWS + j];
					if (!(score < threshold)) {
						hits[count++] = (vec_hit){(int32_t)(q + i), (int32_t)(r + j), score};
					}
				}
			}
		}
		q += wide;
	}
	return count;
}

void vec_squares(const vec_kernel *kernel, const float *rows, size_t nr, size_t n, float *out) {
	for (size_t r = 0; r < nr; r++) {
		const float *row = rows + r * n;
		const float *at[VEC_ROWS] = {row, row, row, row};
		float same[VEC_ROWS];
		kernel->single(row, at, n, same);
		out[r] = same[0];
	}
}
