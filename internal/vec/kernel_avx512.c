#include "kernel.h"

#ifdef VEC_X86
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx2,fma")))
#define VT __m512
#define VT_WIDTH 16
#define VT_ZERO() _mm512_setzero_ps()
#define VT_LOAD(p) _mm512_loadu_ps(p)
#define VT_FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define TILE_QUERIES 6
#define EACH_QUERY(M) M(0) M(1) M(2) M(3) M(4) M(5)

// Adds lane l to lane l+8.
TARGET static inline __m256 fold(__m512 v) {
	__m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1));
	return _mm256_add_ps(_mm512_castps512_ps256(v), high);
}

#include "reduce_x86.h"

TARGET static inline void reduce(const __m512 part[VEC_ROWS][1], float out[VEC_ROWS]) {
	reduce8(fold(part[0][0]), fold(part[1][0]), fold(part[2][0]), fold(part[3][0]), out);
}

#include "tile.h"

TARGET static void tile_single(const float *query, const float *const rows[VEC_ROWS], size_t n, float *out) {
	const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
	__m512 s0 = VT_ZERO(), s1 = VT_ZERO(), s2 = VT_ZERO(), s3 = VT_ZERO();
	for (size_t i = 0; i < n; i += VEC_LANES) {
		__m512 y = VT_LOAD(query + i);
		s0 = VT_FMA(VT_LOAD(r0 + i), y, s0);
		s1 = VT_FMA(VT_LOAD(r1 + i), y, s1);
		s2 = VT_FMA(VT_LOAD(r2 + i), y, s2);
		s3 = VT_FMA(VT_LOAD(r3 + i), y, s3);
	}
	reduce8(fold(s0), fold(s1), fold(s2), fold(s3), out);
}

static const vec_kernel kernel = {"avx512", TILE_QUERIES, tile_single, tile_many};

const vec_kernel *vec_avx512(void) {
	__builtin_cpu_init();
	int runs = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	return runs ? &kernel : NULL;
}

#else

const vec_kernel *vec_avx512(void) { return NULL; }

#endif
