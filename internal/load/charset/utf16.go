package charset

import "unicode"

// guessUTF16 names the UTF-16 form of bytes without a byte order mark, or returns "". Text has zero bytes in one half
// of its units only: that of the high bytes of ASCII characters, line ends and spaces at least. All units must then
// make sense, since binary formats hold zeros too.
func guessUTF16(b []byte) string {
	s := sample(b)
	if len(b) < 2 || len(b)%2 != 0 {
		return ""
	}
	var even, odd int
	for i := 0; i+1 < len(s); i += 2 {
		if s[i] == 0 {
			even++
		}
		if s[i+1] == 0 {
			odd++
		}
	}
	switch {
	case odd > 0 && even*20 <= odd && plausibleUTF16(s, 1):
		return "utf-16le"
	case even > 0 && odd*20 <= even && plausibleUTF16(s, 0):
		return "utf-16be"
	}
	return ""
}

// plausibleUTF16 reports whether the units of s, whose high byte is at offset high of each, are text: no control
// characters but white space, at most one in fifty not printable, and zero bytes in at least one in fifty.
func plausibleUTF16(s []byte, high int) bool {
	units, odd, ascii := len(s)/2, 0, 0
	for i := 0; i+1 < len(s); i += 2 {
		r := rune(s[i+high])<<8 | rune(s[i+1-high])
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r < 0x7f:
			ascii++
		case r < ' ':
			return false
		case r >= 0xd800 && r < 0xe000, unicode.IsPrint(r), unicode.IsSpace(r):
		default:
			odd++
		}
	}
	return odd*50 <= units && ascii*50 >= units
}
