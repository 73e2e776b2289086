// Package guard stops a build that lacks what SQLite needs: a C compiler, full-text search, mathematical functions.
// It holds no code. Without the build tags, or without cgo, compiling it fails with a line that says what to type.
package guard
