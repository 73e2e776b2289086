// Package archtest holds the rules of the whole tree as tests: who may import whom, how long files are, that every
// exported name is documented, that every SQL statement compiles, and that the two halves of each system belong
// together. It reads the source from the disk, so that a change of any file runs it again.
package archtest
