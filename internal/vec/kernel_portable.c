#include "kernel.h"

// Plain C. A compiler may or may not fuse the product with the sum; the error bound holds either way.
static void tile_single(const float *query, const float *const rows[VEC_ROWS], size_t n, float *out) {
	for (size_t r = 0; r < VEC_ROWS; r++) {
		const float *row = rows[r];
		float sum[VEC_LANES] = {0};
		for (size_t i = 0; i < n; i += VEC_LANES) {
			for (size_t l = 0; l < VEC_LANES; l++) {
				sum[l] += row[i + l] * query[i + l];
			}
		}
		for (size_t half = VEC_LANES / 2; half > 0; half /= 2) {
			for (size_t l = 0; l < half; l++) {
				sum[l] += sum[l + half];
			}
		}
		out[r] = sum[0];
	}
}

static const vec_kernel kernel = {"portable", 1, tile_single, tile_single};

const vec_kernel *vec_portable(void) { return &kernel; }
