package index

// #cgo LDFLAGS: -lm
// #cgo noescape log
// #cgo nocallback log
// #include <math.h>
import "C"

// ln is the C library's logarithm, the one that SQLite's bm25() calls. Go's own differs from it in the last bit of some
// results, and one bit can order two rows that tie in SQL.
func ln(x float64) float64 {
	return float64(C.log(C.double(x)))
}
