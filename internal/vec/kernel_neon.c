#include "kernel.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define TARGET
#define VT float32x4_t
#define VT_WIDTH 4
#define VT_ZERO() vdupq_n_f32(0)
#define VT_LOAD(p) vld1q_f32(p)
#define VT_FMA(a, b, c) vfmaq_f32(c, a, b)
#define TILE_QUERIES 4
#define EACH_QUERY(M) M(0) M(1) M(2) M(3)

// Adds lane l to l+8, then l to l+4.
static inline float32x4_t fold(const float32x4_t part[4]) {
	return vaddq_f32(vaddq_f32(part[0], part[2]), vaddq_f32(part[1], part[3]));
}

// Adds lane l to l+2 of two rows: a0 a1 b0 b1.
static inline float32x4_t pair(float32x4_t a, float32x4_t b) {
	return vaddq_f32(vcombine_f32(vget_low_f32(a), vget_low_f32(b)), vcombine_f32(vget_high_f32(a), vget_high_f32(b)));
}

static inline void reduce(const float32x4_t part[VEC_ROWS][4], float out[VEC_ROWS]) {
	vst1q_f32(out, vpaddq_f32(pair(fold(part[0]), fold(part[1])), pair(fold(part[2]), fold(part[3]))));
}

#include "tile.h"

#define SUMS(k) float32x4_t s##k##0 = VT_ZERO(), s##k##1 = VT_ZERO(), s##k##2 = VT_ZERO(), s##k##3 = VT_ZERO();
#define ADD(k) \
	s##k##0 = VT_FMA(VT_LOAD(r##k + i), y0, s##k##0); \
	s##k##1 = VT_FMA(VT_LOAD(r##k + i + 4), y1, s##k##1); \
	s##k##2 = VT_FMA(VT_LOAD(r##k + i + 8), y2, s##k##2); \
	s##k##3 = VT_FMA(VT_LOAD(r##k + i + 12), y3, s##k##3);

static void tile_single(const float *query, const float *const rows[VEC_ROWS], size_t n, float *out) {
	const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
	SUMS(0) SUMS(1) SUMS(2) SUMS(3)
	for (size_t i = 0; i < n; i += VEC_LANES) {
		float32x4_t y0 = VT_LOAD(query + i), y1 = VT_LOAD(query + i + 4);
		float32x4_t y2 = VT_LOAD(query + i + 8), y3 = VT_LOAD(query + i + 12);
		ADD(0) ADD(1) ADD(2) ADD(3)
	}
	const float32x4_t part[VEC_ROWS][4] = {
		{s00, s01, s02, s03}, {s10, s11, s12, s13}, {s20, s21, s22, s23}, {s30, s31, s32, s33}};
	reduce(part, out);
}

static const vec_kernel kernel = {"neon", TILE_QUERIES, tile_single, tile_many};

const vec_kernel *vec_neon(void) { return &kernel; }

#else

const vec_kernel *vec_neon(void) { return NULL; }

#endif
