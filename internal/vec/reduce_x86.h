// The rest of the summation tree on x86, for four rows at once: lane l with l+4, then l+2, then l+1. TARGET is the including
// kernel's.

TARGET static inline void reduce8(__m256 a, __m256 b, __m256 c, __m256 d, float out[VEC_ROWS]) {
	__m256 ab = _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31)); // a0..a3 | b0..b3
	__m256 cd = _mm256_add_ps(_mm256_permute2f128_ps(c, d, 0x20), _mm256_permute2f128_ps(c, d, 0x31)); // c0..c3 | d0..d3
	__m256 two = _mm256_add_ps(_mm256_shuffle_ps(ab, cd, 0x44), _mm256_shuffle_ps(ab, cd, 0xee)); // a0 a1 c0 c1 | b0 b1 d0 d1
	__m256 one = _mm256_add_ps(_mm256_shuffle_ps(two, two, 0x88), _mm256_shuffle_ps(two, two, 0xdd)); // a c a c | b d b d
	_mm_storeu_ps(out, _mm_unpacklo_ps(_mm256_castps256_ps128(one), _mm256_extractf128_ps(one, 1)));
}
