package charset

import (
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// encode16 writes s as UTF-16 with the low byte first, or last.
func encode16(s string, little bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		if little {
			b.WriteByte(byte(u))
			b.WriteByte(byte(u >> 8))
		} else {
			b.WriteByte(byte(u >> 8))
			b.WriteByte(byte(u))
		}
	}
	return b.String()
}

func codes(d Decoded) (out []string) {
	for _, n := range d.Notes {
		out = append(out, n.Code)
	}
	return out
}

func TestDecode(t *testing.T) {
	tests := []struct {
		name, in, text, encoding string
		notes                    []string
	}{
		{"empty", "", "", "utf-8", nil},
		{"UTF-8", "naïve 漢字", "naïve 漢字", "utf-8", nil},
		{"UTF-8 with mark", "\xef\xbb\xbfabc", "abc", "utf-8", nil},
		{"mark alone", "\xef\xbb\xbf", "", "utf-8", nil},
		{"a mark further in stays", "a\ufeffb", "a\ufeffb", "utf-8", nil},
		{"UTF-16LE with mark", "\xff\xfe" + encode16("naïve 漢字🙂", true), "naïve 漢字🙂", "utf-16le", nil},
		{"UTF-16BE with mark", "\xfe\xff" + encode16("naïve 漢字🙂", false), "naïve 漢字🙂", "utf-16be", nil},
		{"UTF-16LE without", encode16("plain text\n", true), "plain text\n", "utf-16le", []string{"encoding_guessed"}},
		{"UTF-16BE without", encode16("plain text\n", false), "plain text\n", "utf-16be", []string{"encoding_guessed"}},
		{"UTF-16LE Chinese without", encode16("黑豹队的防守 只丢了\n", true), "黑豹队的防守 只丢了\n", "utf-16le", []string{"encoding_guessed"}},
		{"UTF-32LE with mark", "\xff\xfe\x00\x00a\x00\x00\x00", "a", "utf-32le", nil},
		{"UTF-32BE with mark", "\x00\x00\xfe\xff\x00\x01\xf6\x42", "🙂", "utf-32be", nil},
		{"UTF-16LE with half a pair", "\xff\xfe\x3d\xd8a\x00", "\ufffda", "utf-16le", []string{"replaced_characters"}},
		{"UTF-16LE that holds U+FFFD", "\xff\xfe\xfd\xff", "\ufffd", "utf-16le", nil},
		{"UTF-16LE of odd length", "\xff\xfea\x00b", "a\ufffd", "utf-16le", []string{"replaced_characters"}},
		{"Latin-1", "caf\xe9 na\xefve", "café naïve", "windows-1252", []string{"encoding_fallback"}},
		{"Windows-1252", "\x93quoted\x94 \x80 5", "“quoted” € 5", "windows-1252", []string{"encoding_fallback"}},
		{"one wrong byte in UTF-8", "été à la pêche où ça naîtra, déjà \xff", "été à la pêche où ça naîtra, déjà \ufffd", "utf-8", []string{"invalid_utf8"}},
		{"NUL in text", "left\x00right and some more text", "leftright and some more text", "utf-8", []string{"nul_removed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Decode([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != tt.text || d.Encoding != tt.encoding {
				t.Errorf("got %q in %s, want %q in %s", d.Text, d.Encoding, tt.text, tt.encoding)
			}
			if diff := cmp.Diff(tt.notes, codes(d)); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeBinary(t *testing.T) {
	var random strings.Builder
	for i := range 4096 {
		random.WriteByte(byte(i * 7919 >> 3))
	}
	for name, in := range map[string]string{
		"PNG head":  "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89",
		"zeros":     strings.Repeat("\x00", 64),
		"all bytes": random.String(),
		"ELF head":  "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x3e\x00\x01\x00\x00\x00",
	} {
		if d, err := Decode([]byte(in)); !errors.Is(err, ErrBinary) {
			t.Errorf("%s: got %q in %s and error %v, want %v", name, d.Text, d.Encoding, err, ErrBinary)
		}
	}
}

func TestStream(t *testing.T) {
	long := strings.Repeat("a line of text 漢字\n", 4000)
	for name, in := range map[string]string{
		"utf-8":    long,
		"utf-16le": encode16("\ufeff"+long, true),
		"utf-16be": encode16(long, false),
	} {
		r, enc, notes, err := Stream(strings.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != long || enc != name {
			t.Errorf("%s: read %d bytes in %s, want the %d bytes of the text", name, len(got), enc, len(long))
		}
		if wantNote := name == "utf-16be"; (len(notes) > 0) != wantNote {
			t.Errorf("%s: notes %v", name, notes)
		}
	}
	r, _, _, err := Stream(strings.NewReader("\xef\xbb\xbf{}"))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(r); string(got) != "{}" {
		t.Errorf("marked UTF-8 = %q, want {}", got)
	}
}
