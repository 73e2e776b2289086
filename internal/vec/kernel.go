package vec

// #cgo CFLAGS: -O3
// #include "kernel.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

// kernel is one of the C kernels that this machine can run.
type kernel struct {
	name string
	c    *C.vec_kernel
}

// hit is what the coarse pass found: the query and the row, counted from the first of the call, and the float32 score.
type hit = C.vec_hit

// widest is the largest number of queries a tile takes; query arrays have this many less one to spare.
const widest = C.VEC_WIDEST

// kernels returns what this machine can run, the fastest first; the portable one is always last.
var kernels = sync.OnceValue(func() []kernel {
	var found []kernel
	for i := range C.VEC_KERNELS {
		if c := C.vec_kernel_at(C.int(i)); c != nil {
			found = append(found, kernel{C.GoString(c.name), c})
		}
	}
	return found
})

func bestKernel() kernel { return kernels()[0] }

// kernelNamed returns the kernel of a name, or the best for "".
func kernelNamed(name string) (kernel, error) {
	for _, k := range kernels() {
		if name == "" || name == k.name {
			return k, nil
		}
	}
	return kernel{}, fmt.Errorf("choose kernel %q: this machine has %v", name, Kernels())
}

// Kernel names the kernel that scans run on here unless told otherwise: avx512, avx2, neon or portable.
func Kernel() string { return bestKernel().name }

// Kernels names all kernels that this machine can run, the fastest first.
func Kernels() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.name)
	}
	return names
}

// scan returns the hits, at the start of the given array of at least nq*nr, of the nq queries among nr rows: those whose coarse
// score is not below the query's threshold. Rows and queries are n (a multiple of lanes) floats apart. Hits of one query ascend
// by row. The queries must be followed by room for widest-1 more.
func (k kernel) scan(rows []float32, nr int, queries []float32, nq, n int, thresholds []float32, hits []hit) []hit {
	// Make the bounds the C code relies on explicit.
	_, _, _, _ = rows[nr*n-1], queries[(nq+widest-1)*n-1], thresholds[nq-1], hits[nq*nr-1]
	count := C.vec_scan(k.c, floats(rows), C.size_t(nr), floats(queries), C.size_t(nq), C.size_t(n), floats(thresholds),
		unsafe.SliceData(hits))
	return hits[:count]
}

// squares fills out with the coarse inner product of each row with itself. Rows are n floats apart.
func (k kernel) squares(rows []float32, n int, out []float32) {
	_ = rows[len(out)*n-1]
	C.vec_squares(k.c, floats(rows), C.size_t(len(out)), C.size_t(n), floats(out))
}

func floats(v []float32) *C.float {
	return (*C.float)(unsafe.Pointer(unsafe.SliceData(v)))
}
