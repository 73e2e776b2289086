package text

import (
	"path"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// NFC returns s in Unicode normalisation form C, so that a name typed on one system equals the name on another.
func NFC(s string) string { return norm.NFC.String(s) }

// Slug lower-cases s, turns every run of other characters than letters, digits and marks into "_" and strips outer
// "_". Letters of any script are kept, so that names in Chinese or Arabic stay distinct.
func Slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range NFC(s) {
		if !slugRune(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// slugRune reports whether r survives in a slug: ASCII letters and digits, and beyond ASCII everything that is no
// space, punctuation or control character (an emoji in a name tells two files apart).
func slugRune(r rune) bool {
	if r < 0x80 {
		return r != '_' && isWordByte(byte(r))
	}
	return !unicode.IsSpace(r) && !unicode.IsPunct(r) && !unicode.IsControl(r)
}

// DocumentID derives the id of a document from its path relative to the corpus root, with forward slashes: the file's
// stem where that is doc_ and letters, digits, _ or -; else doc_ and 10 hex digits of the hash of the path's slug.
func DocumentID(rel string) string {
	rel = NFC(rel)
	base := path.Base(rel)
	if stem := strings.TrimSuffix(base, path.Ext(base)); isDocStem(stem) {
		return stem
	}
	return "doc_" + StableHash(Slug(rel), 10)
}

func isDocStem(s string) bool {
	rest, ok := strings.CutPrefix(s, "doc_")
	if !ok || rest == "" {
		return false
	}
	for i := 0; i < len(rest); i++ {
		if !isWordByte(rest[i]) && rest[i] != '-' {
			return false
		}
	}
	return true
}
