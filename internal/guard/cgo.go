//go:build !cgo

package guard

var _ int = "ragbench needs cgo. Install a C compiler (gcc) and type: make build"
