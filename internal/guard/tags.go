//go:build cgo && !(sqlite_fts5 && sqlite_math_functions)

package guard

// #error "ragbench needs SQLite build tags. Type:  make build   or, for go commands by hand:  eval \"$(make -s env)\""
import "C"
