// The tile for many queries, written once over vector registers of VT_WIDTH lanes. A kernel file defines before including it:
//
//   TARGET           attribute that lets the compiler use the instructions
//   VT, VT_WIDTH     register type and its lanes; it divides 16
//   VT_ZERO()  VT_LOAD(p)  VT_FMA(a, b, c)
//   TILE_QUERIES     queries of the tile, and EACH_QUERY(M): M(0) M(1) … for each of them
//   reduce(...)      void reduce(const VT part[4][16 / VT_WIDTH], float out[4])
//
// Registers narrower than 16 lanes take as many passes over the dimensions, each summing its own lanes: the sums of a pass all
// stay in registers, and a tile is small enough for the second pass to find its data in the first-level cache.

#define ZERO_SUMS(q) VT s##q##0 = VT_ZERO(), s##q##1 = VT_ZERO(), s##q##2 = VT_ZERO(), s##q##3 = VT_ZERO();
#define LOAD_QUERY(q) VT y##q = VT_LOAD(queries + q * n + i);
#define ADD_ROW0(q) s##q##0 = VT_FMA(x, y##q, s##q##0);
#define ADD_ROW1(q) s##q##1 = VT_FMA(x, y##q, s##q##1);
#define ADD_ROW2(q) s##q##2 = VT_FMA(x, y##q, s##q##2);
#define ADD_ROW3(q) s##q##3 = VT_FMA(x, y##q, s##q##3);
#define KEEP_SUMS(q) \
	part[q][0][pass] = s##q##0; \
	part[q][1][pass] = s##q##1; \
	part[q][2][pass] = s##q##2; \
	part[q][3][pass] = s##q##3;

TARGET static void tile_many(const float *queries, const float *const rows[VEC_ROWS], size_t n, float *out) {
	const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
	VT part[TILE_QUERIES][VEC_ROWS][VEC_LANES / VT_WIDTH];
	for (size_t pass = 0; pass < VEC_LANES / VT_WIDTH; pass++) {
		EACH_QUERY(ZERO_SUMS)
		for (size_t i = pass * VT_WIDTH; i < n; i += VEC_LANES) {
			EACH_QUERY(LOAD_QUERY)
			VT x = VT_LOAD(r0 + i);
			EACH_QUERY(ADD_ROW0)
			x = VT_LOAD(r1 + i);
			EACH_QUERY(ADD_ROW1)
			x = VT_LOAD(r2 + i);
			EACH_QUERY(ADD_ROW2)
			x = VT_LOAD(r3 + i);
			EACH_QUERY(ADD_ROW3)
		}
		EACH_QUERY(KEEP_SUMS)
	}
	for (size_t q = 0; q < TILE_QUERIES; q++) {
		reduce((const VT(*)[VEC_LANES / VT_WIDTH])part[q], out + q * VEC_ROWS);
	}
}
