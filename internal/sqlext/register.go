package sqlext

// #include "sqlext.h"
import "C"

import (
	"fmt"
	"sync"

	vec "github.com/asg017/sqlite-vec-go-bindings/cgo"
	_ "github.com/mattn/go-sqlite3" // the SQLite that this package's C code is linked with

	_ "ragbench/internal/guard"
)

var registerOnce sync.Once

// Register makes sqlite-vec, bm25_search and vector_search part of every SQLite connection that this process opens from
// now on; open connections stay as they are. Calls after the first do nothing. It panics when SQLite has no memory for
// the two entries, the only way in which it can fail.
func Register() {
	registerOnce.Do(func() {
		vec.Auto()
		if rc := C.ragbench_register(); rc != C.SQLITE_OK {
			panic(fmt.Sprintf("register the search functions: SQLite result code %d", int(rc)))
		}
	})
}
