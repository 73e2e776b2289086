#include "kernel.h"

#ifdef VEC_X86
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define VT __m256
#define VT_WIDTH 8
#define VT_ZERO() _mm256_setzero_ps()
#define VT_LOAD(p) _mm256_loadu_ps(p)
#define VT_FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define TILE_QUERIES 3
#define EACH_QUERY(M) M(0) M(1) M(2)

#include "reduce_x86.h"

TARGET static inline void reduce(const __m256 part[VEC_ROWS][2], float out[VEC_ROWS]) {
	reduce8(_mm256_add_ps(part[0][0], part[0][1]), _mm256_add_ps(part[1][0], part[1][1]),
	        _mm256_add_ps(part[2][0], part[2][1]), _mm256_add_ps(part[3][0], part[3][1]), out);
}

#include "tile.h"

TARGET static void tile_single(const float *query, const float *const rows[VEC_ROWS], size_t n, float *out) {
	const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
	__m256 low0 = VT_ZERO(), low1 = VT_ZERO(), low2 = VT_ZERO(), low3 = VT_ZERO();
	__m256 high0 = VT_ZERO(), high1 = VT_ZERO(), high2 = VT_ZERO(), high3 = VT_ZERO();
	for (size_t i = 0; i < n; i += VEC_LANES) {
		__m256 y = VT_LOAD(query + i), z = VT_LOAD(query + i + 8);
		low0 = VT_FMA(VT_LOAD(r0 + i), y, low0);
		high0 = VT_FMA(VT_LOAD(r0 + i + 8), z, high0);
		low1 = VT_FMA(VT_LOAD(r1 + i), y, low1);
		high1 = VT_FMA(VT_LOAD(r1 + i + 8), z, high1);
		low2 = VT_FMA(VT_LOAD(r2 + i), y, low2);
		high2 = VT_FMA(VT_LOAD(r2 + i + 8), z, high2);
		low3 = VT_FMA(VT_LOAD(r3 + i), y, low3);
		high3 = VT_FMA(VT_LOAD(r3 + i + 8), z, high3);
	}
	reduce8(_mm256_add_ps(low0, high0), _mm256_add_ps(low1, high1), _mm256_add_ps(low2, high2),
	        _mm256_add_ps(low3, high3), out);
}

static const vec_kernel kernel = {"avx2", TILE_QUERIES, tile_single, tile_many};

const vec_kernel *vec_avx2(void) {
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernel : NULL;
}

#else

const vec_kernel *vec_avx2(void) { return NULL; }

#endif
