// Package ragtest holds conformance suites for the families of the workbench, and what tests need to run them: a file,
// corpora, hostile questions and mock models. It is imported by tests only. A new system gets every check by its line in
// the table; see conformance_test.go.
package ragtest
