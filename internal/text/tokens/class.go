package tokens

import (
	"sync"
	"unicode"
)

// The character classes of the pattern. A character may have several.
const (
	upper   = 1 << iota // Lu Lt Lm Lo M: the capitals' run
	lower               // Ll Lm Lo M: the small letters' run
	letter              // L
	number              // N
	space               // White_Space
	newline             // CR LF
)

// tableSize covers the planes that hold nearly all text; other characters are classified one by one.
const tableSize = 0x20000

var classTable = sync.OnceValue(func() *[tableSize]uint8 {
	t := new([tableSize]uint8)
	for r := range rune(tableSize) {
		t[r] = classify(r)
	}
	return t
})

// asciiClass spares plain text the call.
var asciiClass = func() (t [128]uint8) {
	for r := range rune(128) {
		t[r] = classify(r)
	}
	return t
}()

func classOf(r rune) uint8 {
	if r < 128 {
		return asciiClass[r]
	}
	if r < tableSize {
		return classTable()[r]
	}
	return classify(r)
}

func classify(r rune) uint8 {
	var c uint8
	switch {
	case unicode.In(r, unicode.Lm, unicode.Lo):
		c = upper | lower | letter
	case unicode.In(r, unicode.Lu, unicode.Lt):
		c = upper | letter
	case unicode.Is(unicode.Ll, r):
		c = lower | letter
	case unicode.Is(unicode.M, r):
		c = upper | lower
	case unicode.Is(unicode.N, r):
		c = number
	case unicode.IsSpace(r):
		c = space
	}
	if r == '\r' || r == '\n' {
		c |= newline
	}
	return c
}
