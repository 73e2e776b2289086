package sqlext

// #include "sqlext.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// ragbenchSearch runs one search for SQLite. A panic must not cross the C frames below it: the connection would stay
// busy for ever.
//
//export ragbenchSearch
func ragbenchSearch(s *C.ragbench_search) {
	defer func() {
		if r := recover(); r != nil {
			fail(s, fmt.Errorf("panic: %v", r))
		}
	}()
	hits, err := run(s)
	if err == nil {
		err = check(hits, int(s.k))
	}
	if err == nil {
		err = deliver(s, hits)
	}
	if err != nil {
		fail(s, err)
	}
}

// run copies the argument out of SQLite's memory and calls the searcher of the file.
func run(s *C.ragbench_search) ([]Hit, error) {
	file := C.GoString(s.file)
	a := acquire(file)
	if a == nil && file == "" {
		return nil, errors.New("an in-memory database has no searcher")
	}
	if a == nil {
		return nil, fmt.Errorf("no searcher is attached to %s", file)
	}
	defer a.running.Done()
	if s.vector != 0 {
		vector := C.GoBytes(s.argument, s.argument_bytes)
		return a.searcher.SearchVector(int64(s.index), vector, int(s.k))
	}
	query := C.GoStringN((*C.char)(s.argument), s.argument_bytes)
	return a.searcher.SearchText(int64(s.index), query, int(s.k))
}

// check holds a searcher to its contract: SQLite skips sorting because of it.
func check(hits []Hit, k int) error {
	if len(hits) > k {
		return fmt.Errorf("the searcher returned %d hits for k = %d", len(hits), k)
	}
	for i, h := range hits {
		if math.IsNaN(h.Score) {
			return fmt.Errorf("the score of chunk %d is not a number", h.ChunkID)
		}
		if i == 0 {
			continue
		}
		if p := hits[i-1]; h.Score > p.Score || h.Score == p.Score && h.ChunkID <= p.ChunkID {
			return fmt.Errorf("hits %d and %d are out of order (score descending, then chunk id)", i, i+1)
		}
	}
	return nil
}

// deliver writes the hits into the cursor's own memory.
func deliver(s *C.ragbench_search, hits []Hit) error {
	if len(hits) > int(s.cap) {
		if rc := C.ragbench_search_reserve(s, C.int(len(hits))); rc != C.SQLITE_OK {
			return fmt.Errorf("no memory for %d hits", len(hits))
		}
	}
	to := unsafe.Slice(s.hits, len(hits))
	for i, h := range hits {
		to[i].chunk_id = C.sqlite3_int64(h.ChunkID)
		to[i].score = C.double(h.Score)
	}
	s.n = C.int(len(hits))
	return nil
}

func fail(s *C.ragbench_search, err error) {
	text := err.Error()
	C.ragbench_search_fail(s, (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.int(len(text)))
}
