package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ragbench/internal/text"
)

// previewChars is the longest text of a document, or of a step, that the page holds, in code points.
const previewChars = 260

// answerChars is the longest answer, question or reference answer.
const answerChars = 1000

// clip cuts s to n code points, at the end of a character as a person sees it, with an ellipsis for what is left out.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if text.RuneCount(s) <= n {
		return s
	}
	at := text.ByteOffset(s, n-1)
	if whole := text.FloorBoundary(s, at); whole > 0 {
		at = whole
	}
	return s[:at] + "…"
}

// shown makes characters visible that have no form of their own or that turn the text around them: ESC becomes ␛, a
// right-to-left override its code. Line ends and tabs stay.
func shown(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r':
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case unsafeRune(r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// score3 writes a quality of 0 to 1 with three decimals.
func score3(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// duration writes milliseconds in the unit that suits them.
func duration(ms float64) string {
	switch a := math.Abs(ms); {
	case a == 0:
		return "0 ms"
	case a < 0.9995:
		return significant(ms*1000, 3) + " µs"
	case a < 999.5:
		return significant(ms, 3) + " ms"
	case a < 119_950:
		return significant(ms/1000, 3) + " s"
	default:
		return significant(ms/60_000, 3) + " min"
	}
}

// dollars writes an amount with the digits that tell cheap systems apart.
func dollars(v float64) string {
	switch {
	case v == 0:
		return "$0"
	case v < 1e-6:
		return "$" + strconv.FormatFloat(v, 'e', 1, 64)
	case v < 1:
		return "$" + significant(v, 3)
	default:
		return "$" + strconv.FormatFloat(v, 'f', 2, 64)
	}
}

// significant writes v with n significant digits and no exponent.
func significant(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	s := strconv.FormatFloat(v, 'f', max(0, decimals), 64)
	if decimals > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// count writes a whole number with thousands set apart.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// plural writes a number with its noun.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// joinNames joins names for a sentence: "a", "a and b", "a, b and c".
func joinNames(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
